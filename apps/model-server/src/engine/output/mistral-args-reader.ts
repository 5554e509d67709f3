import { createJsonValueScanner } from './json-value-scanner.js';
import type { ToolCallProgress, ToolCallReader, ToolCallSink } from './tool-call-reader.js';

const marks = ['[ARGS]', '[CALL_ID]'];

/**
 * `name[ARGS]{…}` after `[TOOL_CALLS]`, with an optional `[CALL_ID]id` between; each call has its own opening. Some
 * builds leave `[ARGS]` out, so the first brace ends the name too.
 */
export function createMistralArgsReader(sink: ToolCallSink): ToolCallReader {
  let header = '';
  let started = false;
  let ended = false;
  const scanner = createJsonValueScanner();

  function inHeader(character: string): ToolCallProgress {
    if (character === '{') {
      const name = header.split(/\[(?:ARGS|CALL_ID)\]/)[0]?.trim() ?? '';
      if (!/^[\w.:/-]+$/.test(name)) return 'malformed';
      started = true;
      sink.start(name);
      return inArguments(character);
    }
    header += character;
    const mark = header.lastIndexOf('[');
    const tail = mark < 0 ? '' : header.slice(mark);
    const markIsFine = mark < 0 || marks.some((text) => text.startsWith(tail) || tail.startsWith(text));
    return markIsFine && header.length < 200 ? 'more' : 'malformed';
  }

  function inArguments(character: string): ToolCallProgress {
    const result = scanner.next(character);
    if (result === 'invalid' || result === 'ended-before') return 'malformed';
    sink.argumentsText(character);
    if (result !== 'end') return 'more';
    ended = true;
    sink.end();
    return 'end';
  }

  return {
    next: (character) => (started ? inArguments(character) : inHeader(character)),
    finish: () => (ended ? 'end' : 'malformed'),
  };
}
