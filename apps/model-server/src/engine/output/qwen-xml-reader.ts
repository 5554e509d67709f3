import type { Tool } from '../../generation/tool.js';
import { plainArgumentAsJson } from './plain-argument.js';
import type { ToolCallProgress, ToolCallReader, ToolCallSink } from './tool-call-reader.js';

const functionTag = /^<function=([^>\s]+)>$/;
const parameterTag = /^<parameter=([^>]+)>$/;
const functionEnd = '</function>';
const parameterEnd = '</parameter>';
const callEnd = '</tool_call>';

/** `<function=name><parameter=key>value</parameter>…</function></tool_call>`, each parameter handed on when it is whole. */
export function createQwenXmlReader(sink: ToolCallSink, tools: readonly Tool[]): ToolCallReader {
  let state: 'before-function' | 'parameters' | 'value' | 'after-function' = 'before-function';
  let buffer = '';
  let tool: Tool | undefined;
  let key = '';
  let parameters = 0;
  let calls = 0;

  function endParameter(): void {
    const text = buffer.slice(0, -parameterEnd.length).replace(/^\n/, '').replace(/\n$/, '');
    const value = plainArgumentAsJson(text, tool, key);
    sink.argumentsText(`${parameters === 0 ? '{' : ', '}${JSON.stringify(key)}: ${value}`);
    parameters += 1;
    buffer = '';
    state = 'parameters';
  }

  function endFunction(): void {
    sink.argumentsText(parameters === 0 ? '{}' : '}');
    sink.end();
    calls += 1;
    parameters = 0;
    state = 'after-function';
  }

  function tag(): ToolCallProgress {
    const text = buffer;
    buffer = '';
    const opensFunction = functionTag.exec(text)?.[1];
    if (opensFunction && (state === 'before-function' || state === 'after-function')) {
      tool = tools.find(({ name }) => name === opensFunction);
      sink.start(opensFunction);
      state = 'parameters';
      return 'more';
    }
    const opensParameter = parameterTag.exec(text)?.[1];
    if (opensParameter && state === 'parameters') {
      key = opensParameter.trim();
      state = 'value';
      return 'more';
    }
    if (text === functionEnd && state === 'parameters') {
      endFunction();
      return 'more';
    }
    return text === callEnd && state === 'after-function' ? 'end' : 'malformed';
  }

  function next(character: string): ToolCallProgress {
    if (state === 'value') {
      buffer += character;
      if (character === '>' && buffer.endsWith(parameterEnd)) endParameter();
      return 'more';
    }
    if (buffer === '' && /\s/.test(character)) return 'more';
    buffer += character;
    if (!buffer.startsWith('<') || buffer.length > 300) return 'malformed';
    return character === '>' ? tag() : 'more';
  }

  return { next, finish: () => (state === 'after-function' && calls > 0 ? 'end' : 'malformed') };
}
