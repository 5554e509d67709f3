import type { GenerationError } from '../../generation/generation-error.js';
import type { GenerationEvent } from '../../generation/generation-event.js';
import type { ToolCall } from '../../generation/tool.js';
import type { Frame, StreamRenderer } from '../../http/stream-renderer.js';
import { renderCall } from './answer-shape.js';
import { type LineContext, renderChunk, renderFinal } from './render-line.js';

/** The lines of a streamed generate or chat: pieces, whole tool calls, and one last line with `done: true`. */
export class RunnerStream implements StreamRenderer {
  #call: ToolCall | undefined;

  constructor(private readonly context: LineContext) {}

  render(event: GenerationEvent): readonly Frame[] {
    switch (event.type) {
      case 'start':
      case 'prompt-progress':
        return [];
      case 'reasoning-delta':
        return [{ data: renderChunk(this.context, { thinking: event.text }, event.logprobs) }];
      case 'text-delta':
        return [{ data: renderChunk(this.context, { text: event.text }, event.logprobs) }];
      case 'tool-call-start':
        this.#call = { id: event.id, name: event.name, argumentsText: '' };
        return [];
      case 'tool-call-delta':
        if (this.#call) {
          this.#call = { ...this.#call, argumentsText: this.#call.argumentsText + event.argumentsText };
        }
        return [];
      case 'tool-call-end': {
        const call = this.#call;
        this.#call = undefined;
        // Arguments are an object here, so a call can only be sent whole.
        return call
          ? [{ data: renderChunk(this.context, { toolCalls: [renderCall(call, event.index)] }) }]
          : [];
      }
      case 'finish':
        return [{ data: renderFinal(this.context, {}, event) }];
      default:
        event satisfies never;
        return [];
    }
  }

  end(): readonly Frame[] {
    return [];
  }

  /** Clients look for `error` first; `done` tells everyone else that nothing follows. */
  fail(error: GenerationError): readonly Frame[] {
    return [{ data: { error: error.message, done: true } }];
  }

  /** Lines have no comments, and a blank one breaks clients: an empty piece of text harms nobody. */
  keepAlive(): readonly Frame[] {
    return [{ data: renderChunk(this.context, {}) }];
  }
}
