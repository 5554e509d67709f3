import { createJsonCallReader, type JsonCallOptions } from './json-call-reader.js';
import type { ToolCallProgress, ToolCallReader, ToolCallSink } from './tool-call-reader.js';

export interface TaggedJsonOptions extends JsonCallOptions {
  /** The text that ends the calls; without one they end at the first character that is no call. */
  readonly close?: string;
  /** What may stand between two calls, besides white space. */
  readonly separators?: string;
}

/**
 * One or more JSON calls after an opening, bare or in an array, up to the closing text. Models forget the closing tag
 * and the comma now and then; every call that is whole counts.
 */
export function createTaggedJsonReader(sink: ToolCallSink, options: TaggedJsonOptions): ToolCallReader {
  const { close = '', separators = '' } = options;
  let call = undefined as ReturnType<typeof createJsonCallReader> | undefined;
  let inArray = false;
  let calls = 0;
  let closing = '';
  let broken = false;

  function fail(): ToolCallProgress {
    broken = true;
    return 'malformed';
  }

  function inCall(character: string): ToolCallProgress {
    const result = call?.next(character);
    if (result === 'malformed') return fail();
    if (result === 'end') {
      call = undefined;
      calls += 1;
      if (close === '' && !inArray && separators === '') return 'end';
    }
    return 'more';
  }

  function next(character: string): ToolCallProgress {
    if (call) return inCall(character);
    if (closing !== '' || (close.startsWith(character) && !(close.startsWith('[') && calls === 0))) {
      closing += character;
      if (closing === close) return calls > 0 ? 'end' : fail();
      return close.startsWith(closing) ? 'more' : fail();
    }
    if (/\s/.test(character)) return 'more';
    if (character === '{') {
      call = createJsonCallReader(sink, options);
      return inCall(character);
    }
    if (character === '[' && calls === 0 && !inArray) {
      inArray = true;
      return 'more';
    }
    if (inArray && character === ',') return 'more';
    if (inArray && character === ']') {
      inArray = false;
      return close === '' ? 'end' : 'more';
    }
    if (separators.includes(character)) return 'more';
    if (calls > 0 && close === '') return 'end-before';
    return fail();
  }

  return {
    next,
    finish: () => (!broken && calls > 0 && !call ? 'end' : 'malformed'),
  };
}
