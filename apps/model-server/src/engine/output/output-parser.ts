import type { TokenLogprob } from '../../generation/generation-event.js';
import type { Tool } from '../../generation/tool.js';
import { createHarmonyParser } from './harmony-parser.js';
import type { OutputEvent } from './output-events.js';
import { createTaggedOutputParser } from './tagged-output-parser.js';
import type { ThinkingTags } from './thinking-tags.js';
import type { ToolCallDialect } from './tool-call-dialect.js';

export interface OutputParserOptions {
  /** How this model writes tool calls; `undefined` where no call may be made, and then call text is plain text. */
  readonly toolCallDialect: ToolCallDialect | undefined;
  readonly tools: readonly Tool[];
  readonly thinkingTags: ThinkingTags | undefined;
  readonly startsInsideThinking: boolean;
  readonly newCallId: () => string;
}

export type OutputState = 'thinking' | 'text' | 'tool-call';

export interface OutputParser {
  /** Where the text stands after the last push; tells reasoning tokens from others. */
  readonly state: OutputState;
  readonly toolCallCount: number;
  /** Takes generated text, with the log-probabilities of the tokens that made it, and says what it means. */
  push(text: string, logprobs?: readonly TokenLogprob[]): OutputEvent[];
  /** No more text comes: held back text is let go, an open call is ended. */
  finish(): OutputEvent[];
}

/**
 * Turns generated text into answer text, thoughts and tool calls. A pure state machine: the same text gives the same
 * events joined together, however it is cut into pieces. The text must hold the special tokens of the model (decode
 * with them), except its end-of-turn token.
 */
export function createOutputParser(options: OutputParserOptions): OutputParser {
  const { toolCallDialect } = options;
  if (toolCallDialect === 'harmony') return createHarmonyParser(options);
  return createTaggedOutputParser({ ...options, toolCallDialect });
}
