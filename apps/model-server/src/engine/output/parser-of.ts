import type { createOutputEventList } from './output-events.js';
import type { OutputParser, OutputState } from './output-parser.js';
import type { createTextCursor } from './text-cursor.js';

export interface ParserParts {
  readonly cursor: ReturnType<typeof createTextCursor>;
  readonly out: ReturnType<typeof createOutputEventList>;
  readonly state: () => OutputState;
  /** Reads what is pending, as far as it is sure of it. */
  readonly process: () => void;
  /** No more text comes: what is left is decided. */
  readonly finish: () => void;
}

/** A parser around the parts that differ from family to family. */
export function parserOf({ cursor, out, state, process, finish }: ParserParts): OutputParser {
  return {
    get state() {
      return state();
    },
    get toolCallCount() {
      return out.toolCallCount;
    },
    push(text, logprobs) {
      cursor.append(text, logprobs);
      process();
      return out.take();
    },
    finish() {
      finish();
      return out.take();
    },
  };
}
