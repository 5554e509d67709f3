import type { InputContent, InputItem } from '@hearth/protocol-types/completions/responses-input-item';
import type { AssistantMessage, Message } from '../../../generation/message.js';
import type { ToolCall } from '../../../generation/tool.js';
import { noVision } from '../../../http/no-vision.js';
import { refuse } from '../refuse.js';

/**
 * Items as a conversation. What the assistant did in one turn comes as several items (a thought, a text, calls); here
 * it is one message again. Items of a type that we do not know are left out, so that newer clients are still served.
 */
export function parseInput(input: string | readonly InputItem[]): readonly Message[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  const conversation = new Conversation();
  input.forEach((item, index) => {
    conversation.add(item, `input.${index}`);
  });
  return conversation.messages();
}

class Conversation {
  private readonly done: Message[] = [];
  private readonly toolNames = new Map<string, string>();
  private turn: AssistantMessage | undefined;

  messages(): readonly Message[] {
    this.endTurn();
    return this.done;
  }

  add(item: InputItem, param: string): void {
    switch (item.type) {
      case 'unsupported':
        break;
      case 'item_reference':
        refuse(param, 'refers to a stored item, but this server stores none; send the item itself');
        break;
      case 'reasoning':
        this.think((item.content ?? item.summary ?? []).map(({ text }) => text).join('\n'));
        break;
      case 'function_call':
        this.call({ id: item.call_id, name: item.name, argumentsText: item.arguments });
        break;
      case 'function_call_output':
        this.result(item.call_id, textOf(item.output, `${param}.output`));
        break;
      default:
        this.say(item.role, textOf(item.content, `${param}.content`));
    }
  }

  private say(role: 'user' | 'assistant' | 'system' | 'developer', content: string): void {
    if (role === 'assistant') {
      if (this.turn && (this.turn.content !== '' || this.turn.toolCalls)) this.endTurn();
      this.turn = { ...(this.turn ?? { role: 'assistant' }), content };
      return;
    }
    this.endTurn();
    this.done.push({ role: role === 'user' ? 'user' : 'system', content });
  }

  private think(thinking: string): void {
    if (thinking === '') return;
    this.endTurn();
    this.turn = { role: 'assistant', content: '', thinking };
  }

  private call(call: ToolCall): void {
    this.toolNames.set(call.id, call.name);
    const turn = this.turn ?? { role: 'assistant', content: '' };
    this.turn = { ...turn, toolCalls: [...(turn.toolCalls ?? []), call] };
  }

  private result(callId: string, content: string): void {
    this.endTurn();
    const toolName = this.toolNames.get(callId);
    const named = toolName === undefined ? {} : { toolName };
    this.done.push({ role: 'tool', content, toolCallId: callId, ...named });
  }

  private endTurn(): void {
    if (this.turn) this.done.push(this.turn);
    this.turn = undefined;
  }
}

function textOf(content: InputContent, param: string): string {
  if (typeof content === 'string') return content;
  const texts = content.map((part, index) => {
    switch (part.type) {
      case 'input_text':
      case 'output_text':
        return part.text;
      case 'refusal':
        return part.refusal;
      case 'input_image':
        throw noVision(`${param}.${index}`);
      case 'input_audio':
        return refuse(`${param}.${index}`, 'is audio, but this server reads text only');
      case 'input_file':
        return refuse(`${param}.${index}`, 'is a file, but this server reads text only');
      default:
        return part satisfies never;
    }
  });
  return texts.join('\n');
}
