import type { Tool } from '../../generation/tool.js';
import { createDeepseekReader } from './deepseek-reader.js';
import { createGlmXmlReader } from './glm-xml-reader.js';
import { createMistralArgsReader } from './mistral-args-reader.js';
import { createQwenXmlReader } from './qwen-xml-reader.js';
import { createTaggedJsonReader } from './tagged-json-reader.js';
import type { ToolCallDialect } from './tool-call-dialect.js';
import type { ToolCallReader, ToolCallSink } from './tool-call-reader.js';

export interface ToolCallOpening {
  /** The text that opens a call. */
  readonly text: string;
  createReader(sink: ToolCallSink, tools: readonly Tool[]): ToolCallReader;
}

export interface ToolCallOpenings {
  /** Texts that open calls wherever they stand. */
  readonly anywhere: readonly ToolCallOpening[];
  /** A call without an opening of its own: a brace as the first character of the answer. */
  readonly atStart?: ToolCallOpening;
}

function isOffered(tools: readonly Tool[]): (name: string) => boolean {
  const names = new Set(tools.map(({ name }) => name));
  return (name) => names.has(name);
}

const mistral: ToolCallOpening = {
  text: '[TOOL_CALLS]',
  createReader: (sink) => {
    // Both wire forms open alike; the first character tells them apart.
    let reader: ToolCallReader | undefined;
    return {
      next(character) {
        if (!reader && /\s/.test(character)) return 'more';
        reader ??=
          character === '[' || character === '{'
            ? createTaggedJsonReader(sink, {})
            : createMistralArgsReader(sink);
        return reader.next(character);
      },
      finish: () => reader?.finish() ?? 'malformed',
    };
  },
};

/** What opens a tool call in a dialect, and what reads it. `harmony` frames its whole output and has its own parser. */
export function toolCallOpenings(dialect: Exclude<ToolCallDialect, 'harmony'>): ToolCallOpenings {
  switch (dialect) {
    case 'hermes':
      return {
        anywhere: [
          {
            text: '<tool_call>',
            createReader: (sink) => createTaggedJsonReader(sink, { close: '</tool_call>' }),
          },
        ],
      };
    case 'qwen-xml':
      return { anywhere: [{ text: '<tool_call>', createReader: createQwenXmlReader }] };
    case 'mistral-array':
    case 'mistral-args':
      return { anywhere: [mistral] };
    case 'tagged-array':
      return {
        anywhere: [
          {
            text: '<|tool_call|>',
            createReader: (sink) => createTaggedJsonReader(sink, { close: '<|/tool_call|>' }),
          },
        ],
      };
    case 'command-r':
      return {
        anywhere: [
          {
            text: '<|START_ACTION|>',
            createReader: (sink) => createTaggedJsonReader(sink, { close: '<|END_ACTION|>' }),
          },
        ],
      };
    case 'glm-xml':
      return { anywhere: [{ text: '<tool_call>', createReader: createGlmXmlReader }] };
    case 'deepseek':
      return { anywhere: [{ text: '<｜tool▁calls▁begin｜>', createReader: createDeepseekReader }] };
    case 'llama3-json': {
      const bare: ToolCallOpening['createReader'] = (sink, tools) =>
        createTaggedJsonReader(sink, { acceptsName: isOffered(tools), separators: ';' });
      return {
        anywhere: [{ text: '<|python_tag|>', createReader: bare }],
        atStart: { text: '', createReader: bare },
      };
    }
    default:
      return dialect satisfies never;
  }
}
