import { createHash } from 'node:crypto';
import type { Message } from '../../generation/message.js';
import type { Tool, ToolCall } from '../../generation/tool.js';

/** How one template wants its messages; found out by probing it once. */
export interface MessageShape {
  /** Arguments of past calls as an object; a few old templates paste them as text. */
  readonly argumentsAs: 'object' | 'text';
  /** Content as a list of parts, for templates that read only `content[0].text`. */
  readonly contentAs: 'text' | 'parts';
  /** Mistral's templates refuse call ids that are not nine letters or digits. */
  readonly callIds: 'as-given' | 'nine-characters';
}

export type TemplateMessage = Readonly<Record<string, unknown>>;

function parsedArguments(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    // A model's broken arguments come back in the history; the template then gets them as they were.
    return text;
  }
}

function callId(id: string, shape: MessageShape): string {
  if (shape.callIds === 'as-given' || /^[A-Za-z0-9]{9}$/.test(id)) return id;
  return createHash('sha256').update(id).digest('hex').slice(0, 9);
}

function templateToolCall(call: ToolCall, shape: MessageShape): TemplateMessage {
  const value = parsedArguments(call.argumentsText);
  const asText = shape.argumentsAs === 'text';
  return {
    id: callId(call.id, shape),
    type: 'function',
    function: { name: call.name, arguments: asText ? call.argumentsText || '{}' : value },
  };
}

function content(text: string, shape: MessageShape): unknown {
  return shape.contentAs === 'parts' ? [{ type: 'text', text }] : text;
}

/** Our messages as the objects chat templates read: the OpenAI shape, with the extra names that families use. */
export function templateMessages(messages: readonly Message[], shape: MessageShape): TemplateMessage[] {
  const callNames = new Map<string, string>();
  return messages.map((message): TemplateMessage => {
    switch (message.role) {
      case 'system':
      case 'user':
        return { role: message.role, content: content(message.content, shape) };
      case 'assistant': {
        for (const call of message.toolCalls ?? []) callNames.set(call.id, call.name);
        return {
          role: 'assistant',
          content: content(message.content, shape),
          ...(message.thinking ? { reasoning_content: message.thinking, thinking: message.thinking } : {}),
          ...(message.toolCalls?.length
            ? { tool_calls: message.toolCalls.map((call) => templateToolCall(call, shape)) }
            : {}),
        };
      }
      case 'tool': {
        const name = message.toolName ?? callNames.get(message.toolCallId ?? '');
        return {
          role: 'tool',
          content: content(message.content, shape),
          ...(name ? { name, tool_name: name } : {}),
          ...(message.toolCallId ? { tool_call_id: callId(message.toolCallId, shape) } : {}),
        };
      }
      default:
        return message satisfies never;
    }
  });
}

/** Tools in the OpenAI shape, which every template that knows tools reads. */
export function templateTools(tools: readonly Tool[]): TemplateMessage[] {
  return tools.map((tool) => ({
    type: 'function',
    function: {
      name: tool.name,
      description: tool.description ?? '',
      parameters: tool.parameters === true ? { type: 'object', properties: {} } : tool.parameters,
    },
  }));
}
