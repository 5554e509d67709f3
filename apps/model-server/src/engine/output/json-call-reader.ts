import { createJsonValueScanner, type JsonValueScanner } from './json-value-scanner.js';
import type { ToolCallSink } from './tool-call-reader.js';

const nameKeys = ['name', 'tool_name'];
const argumentKeys = ['arguments', 'parameters', 'args'];

export interface JsonCallReader {
  next(character: string): 'more' | 'end' | 'malformed';
}

export interface JsonCallOptions {
  /** Refuses a name before the call starts: bare JSON is a call only when it names a tool that was offered. */
  readonly acceptsName?: (name: string) => boolean;
}

type State = 'open' | 'key' | 'in-key' | 'colon' | 'value' | 'comma' | 'done';

/**
 * Reads one `{"name": …, "arguments": {…}}` and hands the arguments on while they arrive. Keys may come in any order:
 * arguments that come before the name wait for it. Arguments that the model wrote as a JSON string are unpacked.
 */
export function createJsonCallReader(sink: ToolCallSink, options: JsonCallOptions = {}): JsonCallReader {
  let state: State = 'open';
  let key = '';
  let scanner: JsonValueScanner | undefined;
  let firstCharacter = '';
  let kept = '';
  let name: string | undefined;
  let waiting: string | undefined;
  let wroteArguments = false;

  function writeArguments(text: string): void {
    if (text === '') return;
    wroteArguments = true;
    sink.argumentsText(text);
  }

  function startCall(found: string): boolean {
    if (options.acceptsName && !options.acceptsName(found)) return false;
    name = found;
    sink.start(found);
    if (waiting !== undefined) writeArguments(waiting);
    return true;
  }

  function endValue(): boolean {
    scanner = undefined;
    state = 'comma';
    if (nameKeys.includes(key) && name === undefined) {
      const parsed: unknown = JSON.parse(kept);
      return typeof parsed === 'string' && parsed !== '' && startCall(parsed);
    }
    if (!argumentKeys.includes(key)) return true;
    if (firstCharacter === '{') {
      if (name === undefined) waiting = kept;
      return true;
    }
    const unpacked = kept === 'null' ? '{}' : unpack(kept);
    if (unpacked === undefined) return false;
    if (name === undefined) waiting = unpacked;
    else writeArguments(unpacked);
    return true;
  }

  function inValue(character: string): 'more' | 'end' | 'malformed' {
    if (!scanner) {
      if (/[ \t\n\r]/.test(character)) return 'more';
      scanner = createJsonValueScanner();
      firstCharacter = character;
      kept = '';
    }
    const result = scanner.next(character);
    if (result === 'invalid') return 'malformed';
    if (result === 'ended-before') return endValue() ? next(character) : 'malformed';
    // Only an object can be a call's arguments and be passed on as it comes; anything else is judged at its end.
    if (firstCharacter === '{' && name !== undefined && argumentKeys.includes(key)) writeArguments(character);
    else kept += character;
    if (result === 'end' && !endValue()) return 'malformed';
    return 'more';
  }

  function next(character: string): 'more' | 'end' | 'malformed' {
    if (state === 'value') return inValue(character);
    if (state === 'in-key') return inKey(character);
    if (/[ \t\n\r]/.test(character)) return 'more';
    if (state === 'open' && character === '{') state = 'key';
    else if (state === 'key' && character === '"') {
      key = '"';
      state = 'in-key';
    } else if (state === 'colon' && character === ':') {
      state = 'value';
    } else if (state === 'comma' && character === ',') state = 'key';
    else if (state === 'comma' && character === '}') return endCall();
    else return 'malformed';
    return 'more';
  }

  function inKey(character: string): 'more' | 'malformed' {
    scanner ??= createJsonValueScanner();
    if (key === '"') scanner.next('"');
    key += character;
    const result = scanner.next(character);
    if (result === 'invalid') return 'malformed';
    if (result !== 'end') return 'more';
    key = String(JSON.parse(key));
    scanner = undefined;
    state = 'colon';
    return 'more';
  }

  function endCall(): 'end' | 'malformed' {
    state = 'done';
    if (name === undefined) return 'malformed';
    if (!wroteArguments) writeArguments('{}');
    sink.end();
    return 'end';
  }

  return { next };
}

/** `"{\"a\": 1}"` to `{"a": 1}`; anything but an object inside is no set of arguments. */
function unpack(text: string): string | undefined {
  try {
    const inner: unknown = JSON.parse(text);
    if (typeof inner !== 'string') return undefined;
    const parsed: unknown = JSON.parse(inner.trim() === '' ? '{}' : inner);
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isObject ? inner.trim() || '{}' : undefined;
  } catch {
    return undefined;
  }
}
