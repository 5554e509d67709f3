import type { Message as WireMessage } from '@hearth/protocol-types/runner/message';
import type { Tool as WireTool } from '@hearth/protocol-types/runner/tool';
import type { Message } from '../../generation/message.js';
import type { Tool } from '../../generation/tool.js';
import { noVision } from '../../http/no-vision.js';

export function parseMessages(messages: readonly WireMessage[]): readonly Message[] {
  return messages.map((message, index) => {
    if (message.images && message.images.length > 0) throw noVision(`messages.${index}.images`);
    return parseMessage(message, index);
  });
}

function parseMessage(message: WireMessage, index: number): Message {
  const content = message.content ?? '';
  switch (message.role) {
    case 'assistant':
      return {
        role: 'assistant',
        content,
        ...(message.thinking ? { thinking: message.thinking } : {}),
        ...(message.tool_calls && message.tool_calls.length > 0
          ? {
              toolCalls: message.tool_calls.map(({ id, function: { name, arguments: given } }, call) => ({
                // Older clients send no ids; a template that prints them needs some all the same.
                id: id ?? `call_${index}_${call}`,
                name,
                argumentsText: JSON.stringify(given),
              })),
            }
          : {}),
      };
    case 'tool':
      return {
        role: 'tool',
        content,
        ...(message.tool_call_id ? { toolCallId: message.tool_call_id } : {}),
        ...(message.tool_name ? { toolName: message.tool_name } : {}),
      };
    default:
      return { role: message.role, content };
  }
}

export function parseTools(tools: readonly WireTool[] | null | undefined): readonly Tool[] {
  return (tools ?? []).map(({ function: { name, description, parameters } }) => ({
    name,
    ...(description ? { description } : {}),
    parameters: parameters ?? { type: 'object', properties: {} },
  }));
}
