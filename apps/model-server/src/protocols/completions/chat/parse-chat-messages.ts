import type { UserContent } from '@hearth/protocol-types/completions/content-part';
import type { Message as WireMessage } from '@hearth/protocol-types/completions/message';
import type { AssistantMessage, Message } from '../../../generation/message.js';
import type { ToolCall } from '../../../generation/tool.js';
import { noVision } from '../../../http/no-vision.js';
import { refuse } from '../refuse.js';

type WireAssistant = Extract<WireMessage, { role: 'assistant' }>;

/** Reads a conversation. Results of tools are joined to their calls, by id or, in the older form, by name. */
export function parseChatMessages(messages: readonly WireMessage[]): readonly Message[] {
  const calls = new Map<string, string>();
  let lastLegacyCall: string | undefined;
  return messages.map((message, index): Message => {
    switch (message.role) {
      case 'system':
      case 'developer':
        return { role: 'system', content: textOf(message.content) };
      case 'user':
        return { role: 'user', content: userText(message.content, `messages.${index}.content`) };
      case 'assistant': {
        const legacyId = `call_${index}`;
        const parsed = parseAssistant(message, legacyId);
        for (const call of parsed.toolCalls ?? []) calls.set(call.id, call.name);
        if (message.function_call) lastLegacyCall = legacyId;
        return parsed;
      }
      case 'tool': {
        const toolName = calls.get(message.tool_call_id);
        return {
          role: 'tool',
          content: textOf(message.content),
          toolCallId: message.tool_call_id,
          ...(toolName === undefined ? {} : { toolName }),
        };
      }
      case 'function':
        return {
          role: 'tool',
          content: message.content ?? '',
          toolName: message.name,
          ...(lastLegacyCall === undefined ? {} : { toolCallId: lastLegacyCall }),
        };
      default:
        return message satisfies never;
    }
  });
}

function parseAssistant(message: WireAssistant, legacyId: string): AssistantMessage {
  const content = message.content == null ? '' : textOf(message.content);
  const thinking = message.reasoning_content ?? message.reasoning;
  const toolCalls: ToolCall[] = (message.tool_calls ?? []).map((call) => ({
    id: call.id,
    name: call.function.name,
    argumentsText: call.function.arguments,
  }));
  if (message.function_call) {
    const { name, arguments: argumentsText } = message.function_call;
    toolCalls.push({ id: legacyId, name, argumentsText });
  }
  return {
    role: 'assistant',
    content: content === '' ? (message.refusal ?? '') : content,
    ...(thinking ? { thinking } : {}),
    ...(toolCalls.length > 0 ? { toolCalls } : {}),
  };
}

type TextPart = { type: 'text'; text: string } | { type: 'refusal'; refusal: string };

/** Parts of one message are one text; each stands on lines of its own. */
function textOf(content: string | readonly TextPart[]): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : part.refusal)).join('\n');
}

function userText(content: UserContent, param: string): string {
  if (typeof content === 'string') return content;
  const texts = content.map((part, index) => {
    switch (part.type) {
      case 'text':
        return part.text;
      case 'image_url':
        throw noVision(`${param}.${index}`);
      case 'input_audio':
        return refuse(`${param}.${index}`, 'is audio, but this server reads text only');
      case 'file':
        return refuse(`${param}.${index}`, 'is a file, but this server reads text only');
      default:
        return part satisfies never;
    }
  });
  return texts.join('\n');
}
