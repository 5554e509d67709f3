import { createJsonValueScanner } from './json-value-scanner.js';
import type { ToolCallProgress, ToolCallReader, ToolCallSink } from './tool-call-reader.js';

const callStart = '<｜tool▁call▁begin｜>';
const separator = '<｜tool▁sep｜>';
const callEnd = '<｜tool▁call▁end｜>';
const allEnd = '<｜tool▁calls▁end｜>';
const fence = '```json';

/**
 * `begin`, name, `sep`, arguments, `end`, and so on until the calls end. Older models write the word "function" before
 * the separator, and after it the name and the arguments in a fenced block.
 */
export function createDeepseekReader(sink: ToolCallSink): ToolCallReader {
  let state: 'between' | 'name' | 'fenced-name' | 'arguments' | 'after' = 'between';
  let buffer = '';
  let calls = 0;
  let scanner = createJsonValueScanner();

  function startCall(name: string): ToolCallProgress {
    if (!/^[\w.:/-]+$/.test(name)) return 'malformed';
    sink.start(name);
    scanner = createJsonValueScanner();
    state = 'arguments';
    buffer = '';
    return 'more';
  }

  function inArguments(character: string): ToolCallProgress {
    // Only an object can be arguments, so white space before it belongs to nothing.
    if (buffer === '' && /\s/.test(character)) return 'more';
    if (buffer === '' && character !== '{') return 'malformed';
    buffer = character;
    const result = scanner.next(character);
    if (result === 'invalid' || result === 'ended-before') return 'malformed';
    sink.argumentsText(character);
    if (result === 'end') {
      sink.end();
      calls += 1;
      buffer = '';
      state = 'after';
    }
    return 'more';
  }

  function next(character: string): ToolCallProgress {
    if (state === 'arguments') return inArguments(character);
    buffer += character;
    if (buffer.length > 300) return 'malformed';
    switch (state) {
      case 'between': {
        const text = buffer.trimStart();
        if (text === allEnd) return calls > 0 ? 'end' : 'malformed';
        if (text === callStart) {
          buffer = '';
          state = 'name';
          return 'more';
        }
        return callStart.startsWith(text) || allEnd.startsWith(text) ? 'more' : 'malformed';
      }
      case 'name': {
        if (!buffer.endsWith(separator)) return 'more';
        const name = buffer.slice(0, -separator.length).trim();
        if (name !== 'function') return startCall(name);
        buffer = '';
        state = 'fenced-name';
        return 'more';
      }
      case 'fenced-name':
        return buffer.endsWith(fence) ? startCall(buffer.slice(0, -fence.length).trim()) : 'more';
      default:
        if (buffer.endsWith(callEnd)) {
          buffer = '';
          state = 'between';
          return 'more';
        }
        return /^\s*(?:`{0,3})\s*(?:<(?:｜[^｜]*｜?)?)?$/.test(buffer) ? 'more' : 'malformed';
    }
  }

  return {
    next,
    finish: () => (calls > 0 && (state === 'after' || state === 'between') ? 'end' : 'malformed'),
  };
}
