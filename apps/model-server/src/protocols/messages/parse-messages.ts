import type { ContentBlock, ToolResultBlock } from '@hearth/protocol-types/messages/content-block';
import type { Message as WireMessage } from '@hearth/protocol-types/messages/message';
import { GenerationError } from '../../generation/generation-error.js';
import type { AssistantMessage, Message, ToolResultMessage } from '../../generation/message.js';
import type { ToolCall } from '../../generation/tool.js';
import { paragraph, readTextual } from './read-blocks.js';

/** The turns of a conversation in the server's own words; neighbours by one speaker become one turn. */
export function parseMessages(messages: readonly WireMessage[]): readonly Message[] {
  const toolNames = new Map<string, string>();
  const turns: Message[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    const path = `messages.${index}.content`;
    const blocks: readonly ContentBlock[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    if (role === 'assistant') {
      const turn = assistantTurn(blocks, path);
      for (const { id, name } of turn.toolCalls ?? []) toolNames.set(id, name);
      turns.push(turn);
    } else if (role === 'system') {
      turns.push({ role: 'system', content: plainText(blocks, path, role) });
    } else {
      turns.push(...userTurns(blocks, path, toolNames));
    }
  }
  return turns.reduce<Message[]>(mergeInto, []);
}

function assistantTurn(blocks: readonly ContentBlock[], path: string): AssistantMessage {
  const texts: string[] = [];
  const thoughts: string[] = [];
  const toolCalls: ToolCall[] = [];
  for (const [index, block] of blocks.entries()) {
    switch (block.type) {
      case 'thinking':
        thoughts.push(block.thinking);
        break;
      case 'redacted_thinking':
        // Sealed by another server: no model here can read it, and it is not meant to be shown.
        break;
      case 'tool_use':
        toolCalls.push({ id: block.id, name: block.name, argumentsText: JSON.stringify(block.input) });
        break;
      case 'tool_result':
        throw misplaced(`${path}.${index}`, 'tool_result', 'user');
      default:
        texts.push(readTextual(block, `${path}.${index}`));
    }
  }
  return {
    role: 'assistant',
    // As it was generated, so that the prefix of the next request is found in the cache.
    content: texts.join(''),
    ...(thoughts.length > 0 ? { thinking: thoughts.join('') } : {}),
    ...(toolCalls.length > 0 ? { toolCalls } : {}),
  };
}

/** Results come before the text of the same turn: they answer the calls of the turn before. */
function userTurns(
  blocks: readonly ContentBlock[],
  path: string,
  toolNames: ReadonlyMap<string, string>,
): readonly Message[] {
  const results: ToolResultMessage[] = [];
  const others: ContentBlock[] = [];
  for (const [index, block] of blocks.entries()) {
    if (block.type === 'tool_result') results.push(toolResult(block, `${path}.${index}`, toolNames));
    else others.push(block);
  }
  if (others.length === 0 && results.length > 0) return results;
  return [...results, { role: 'user', content: plainText(others, path, 'user') }];
}

function toolResult(
  block: ToolResultBlock,
  path: string,
  toolNames: ReadonlyMap<string, string>,
): ToolResultMessage {
  const { content } = block;
  const text =
    typeof content === 'string'
      ? content
      : (content ?? []).map((part, index) => readTextual(part, `${path}.content.${index}`)).join(paragraph);
  const toolName = toolNames.get(block.tool_use_id);
  return {
    role: 'tool',
    content: text,
    toolCallId: block.tool_use_id,
    ...(toolName === undefined ? {} : { toolName }),
    ...(block.is_error ? { isError: true } : {}),
  };
}

function plainText(blocks: readonly ContentBlock[], path: string, role: string): string {
  const texts = blocks.map((block, index) => {
    switch (block.type) {
      case 'thinking':
      case 'redacted_thinking':
      case 'tool_use':
        throw misplaced(`${path}.${index}`, block.type, 'assistant');
      case 'tool_result':
        throw misplaced(`${path}.${index}`, block.type, 'user');
      default:
        if (role === 'system' && block.type !== 'text') {
          throw new GenerationError('invalid-request', `${path}.${index}.type must be "text"`, {
            param: `${path}.${index}.type`,
          });
        }
        return readTextual(block, `${path}.${index}`);
    }
  });
  return texts.join(paragraph);
}

function misplaced(path: string, type: string, role: string): GenerationError {
  const message = `${path}.type: ${type} blocks belong into messages of the ${role}`;
  return new GenerationError('invalid-request', message, { param: `${path}.type` });
}

function mergeInto(turns: Message[], turn: Message): Message[] {
  const last = turns.at(-1);
  if (last?.role === 'user' && turn.role === 'user') {
    turns[turns.length - 1] = { role: 'user', content: last.content + paragraph + turn.content };
  } else if (last?.role === 'assistant' && turn.role === 'assistant') {
    turns[turns.length - 1] = {
      role: 'assistant',
      content: last.content + turn.content,
      ...(last.thinking || turn.thinking ? { thinking: `${last.thinking ?? ''}${turn.thinking ?? ''}` } : {}),
      ...(last.toolCalls || turn.toolCalls
        ? { toolCalls: [...(last.toolCalls ?? []), ...(turn.toolCalls ?? [])] }
        : {}),
    };
  } else {
    turns.push(turn);
  }
  return turns;
}
