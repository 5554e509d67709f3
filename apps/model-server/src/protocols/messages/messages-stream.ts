import type { ReplyBlock } from '@hearth/protocol-types/messages/message-response';
import type { StreamEvent } from '@hearth/protocol-types/messages/stream-event';
import type { GenerationError } from '../../generation/generation-error.js';
import type { FinishEvent, GenerationEvent } from '../../generation/generation-event.js';
import type { Frame, StreamRenderer } from '../../http/stream-renderer.js';
import { toolUseId } from './new-id.js';
import { renderErrorBody } from './render-error.js';
import {
  type MessageHead,
  renderCounts,
  renderStartedMessage,
  renderStop,
  signatureOf,
} from './render-message.js';

/**
 * The events of a streamed message. Blocks follow one another, numbered from 0, each closed before the next opens:
 * the official client loses or mixes up text in any other order.
 */
export class MessagesStream implements StreamRenderer {
  #index = -1;
  #open: ReplyBlock['type'] | undefined;
  #thinking = '';

  constructor(private readonly head: MessageHead) {}

  render(event: GenerationEvent): readonly Frame[] {
    return this.#events(event).map(frame);
  }

  end(): readonly Frame[] {
    return [frame({ type: 'message_stop' })];
  }

  fail(error: GenerationError, requestId: string): readonly Frame[] {
    return [{ event: 'error', data: renderErrorBody(error, requestId) }];
  }

  #events(event: GenerationEvent): StreamEvent[] {
    switch (event.type) {
      case 'start':
        return [{ type: 'message_start', message: renderStartedMessage(this.head, event) }, { type: 'ping' }];
      case 'prompt-progress':
        return [];
      case 'reasoning-delta':
        this.#thinking += event.text;
        return [
          ...this.#ensure({ type: 'thinking', thinking: '', signature: '' }),
          this.#delta({ type: 'thinking_delta', thinking: event.text }),
        ];
      case 'text-delta':
        return [
          ...this.#ensure({ type: 'text', text: '' }),
          this.#delta({ type: 'text_delta', text: event.text }),
        ];
      case 'tool-call-start':
        return [
          ...this.#close(),
          this.#start({ type: 'tool_use', id: toolUseId(event.id), name: event.name, input: {} }),
          this.#delta({ type: 'input_json_delta', partial_json: '' }),
        ];
      case 'tool-call-delta':
        return [this.#delta({ type: 'input_json_delta', partial_json: event.argumentsText })];
      case 'tool-call-end':
        return this.#close();
      case 'finish':
        return [...this.#close(), messageDelta(event)];
      default:
        event satisfies never;
        return [];
    }
  }

  /** Goes on with the open block if it is of this kind, else closes it and opens a new one. */
  #ensure(block: ReplyBlock): StreamEvent[] {
    return this.#open === block.type ? [] : [...this.#close(), this.#start(block)];
  }

  #start(block: ReplyBlock): StreamEvent {
    this.#index += 1;
    this.#open = block.type;
    return { type: 'content_block_start', index: this.#index, content_block: block };
  }

  #delta(delta: Extract<StreamEvent, { type: 'content_block_delta' }>['delta']): StreamEvent {
    return { type: 'content_block_delta', index: this.#index, delta };
  }

  #close(): StreamEvent[] {
    const open = this.#open;
    if (open === undefined) return [];
    this.#open = undefined;
    const stop: StreamEvent = { type: 'content_block_stop', index: this.#index };
    if (open !== 'thinking') return [stop];
    const signature = signatureOf(this.#thinking);
    this.#thinking = '';
    return [this.#delta({ type: 'signature_delta', signature }), stop];
  }
}

function messageDelta({ reason, usage }: FinishEvent): StreamEvent {
  return { type: 'message_delta', delta: renderStop(reason), usage: renderCounts(usage) };
}

/** The event's name is its type; without a name the official client ignores it. */
function frame(event: StreamEvent): Frame {
  return { event: event.type, data: event };
}
