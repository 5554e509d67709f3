import type { GenerationResult } from '../../generation/collect-result.js';
import { parseToolArguments } from '../../generation/parse-tool-arguments.js';
import type { ToolCall } from '../../generation/tool.js';

/** What one line of an answer says, whole or a piece of it. */
export interface Saying {
  readonly text?: string;
  readonly thinking?: string;
  readonly toolCalls?: readonly RenderedCall[];
}

export interface RenderedCall {
  readonly id: string;
  readonly function: {
    readonly index: number;
    readonly name: string;
    readonly arguments: Record<string, unknown>;
  };
}

/** Where generate and chat differ: the same saying goes into another field. */
export type AnswerShape = (saying: Saying) => Record<string, unknown>;

export const generateShape: AnswerShape = ({ text, thinking }) => ({
  response: text ?? '',
  ...(thinking ? { thinking } : {}),
});

export const chatShape: AnswerShape = ({ text, thinking, toolCalls }) => ({
  message: {
    role: 'assistant',
    content: text ?? '',
    ...(thinking ? { thinking } : {}),
    ...(toolCalls && toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
  },
});

export function renderCall(call: ToolCall, index: number): RenderedCall {
  return {
    id: call.id,
    function: { index, name: call.name, arguments: parseToolArguments(call.argumentsText) },
  };
}

export function sayingOf(result: GenerationResult): Saying {
  return {
    text: result.text,
    thinking: result.reasoning,
    toolCalls: result.toolCalls.map(renderCall),
  };
}
