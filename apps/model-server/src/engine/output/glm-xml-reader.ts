import type { Tool } from '../../generation/tool.js';
import { plainArgumentAsJson } from './plain-argument.js';
import type { ToolCallProgress, ToolCallReader, ToolCallSink } from './tool-call-reader.js';

const keyStart = '<arg_key>';
const keyEnd = '</arg_key>';
const valueStart = '<arg_value>';
const valueEnd = '</arg_value>';
const callEnd = '</tool_call>';

/** A name, then keys and values between tags of their own, each pair handed on when it is whole. */
export function createGlmXmlReader(sink: ToolCallSink, tools: readonly Tool[]): ToolCallReader {
  let state: 'name' | 'between' | 'key' | 'before-value' | 'value' | 'done' = 'name';
  let buffer = '';
  let tool: Tool | undefined;
  let key = '';
  let pairs = 0;

  /** The text before a tag, once the tag is whole. */
  function before(tag: string): string | undefined {
    if (!buffer.endsWith(tag)) return undefined;
    const text = buffer.slice(0, -tag.length);
    buffer = '';
    return text;
  }

  function startCall(name: string): ToolCallProgress {
    if (!/^[\w.:/-]+$/.test(name)) return 'malformed';
    tool = tools.find((candidate) => candidate.name === name);
    sink.start(name);
    return 'more';
  }

  function endCall(): ToolCallProgress {
    sink.argumentsText(pairs === 0 ? '{}' : '}');
    sink.end();
    state = 'done';
    return 'end';
  }

  function inName(): ToolCallProgress {
    const beforeKey = before(keyStart);
    if (beforeKey !== undefined) {
      state = 'key';
      return startCall(beforeKey.trim());
    }
    const beforeEnd = before(callEnd);
    if (beforeEnd !== undefined) return startCall(beforeEnd.trim()) === 'malformed' ? 'malformed' : endCall();
    const name = buffer.trimStart();
    const isName = /^[\w.:/-]*\s*(?:<[/\w]*)?$/.test(name);
    return isName && name.length < 200 ? 'more' : 'malformed';
  }

  function inBetween(): ToolCallProgress {
    if (before(keyStart) !== undefined) state = 'key';
    else if (before(callEnd) !== undefined) return endCall();
    const rest = buffer.trimStart();
    return keyStart.startsWith(rest) || callEnd.startsWith(rest) ? 'more' : 'malformed';
  }

  function next(character: string): ToolCallProgress {
    buffer += character;
    switch (state) {
      case 'name':
        return inName();
      case 'between':
        return inBetween();
      case 'key': {
        const text = character === '>' ? before(keyEnd) : undefined;
        if (text !== undefined) {
          key = text.trim();
          state = 'before-value';
        }
        return 'more';
      }
      case 'before-value':
        if (before(valueStart) !== undefined) state = 'value';
        return valueStart.startsWith(buffer.trimStart()) ? 'more' : 'malformed';
      case 'value': {
        const text = character === '>' ? before(valueEnd) : undefined;
        if (text === undefined) return 'more';
        const value = plainArgumentAsJson(text, tool, key);
        sink.argumentsText(`${pairs === 0 ? '{' : ', '}${JSON.stringify(key)}: ${value}`);
        pairs += 1;
        state = 'between';
        return 'more';
      }
      default:
        return 'end-before';
    }
  }

  return { next, finish: () => (state === 'done' ? 'end' : 'malformed') };
}
