import type { OutputItem } from '@hearth/protocol-types/completions/responses-output-item';
import type { ResponsesResponse } from '@hearth/protocol-types/completions/responses-response';
import type { GenerationError } from '../../../generation/generation-error.js';
import type { FinishEvent, GenerationEvent } from '../../../generation/generation-event.js';
import type { Frame, StreamRenderer } from '../../../http/stream-renderer.js';
import { renderErrorBody } from '../render-error.js';
import {
  CallStream,
  MessageStream,
  type OpenItem,
  ReasoningStream,
  type UnnumberedEvent,
} from './item-streams.js';
import { finishResponse, wasCut } from './render-response.js';

interface OpenedItem<Item> {
  readonly item: Item;
  readonly opening: readonly UnnumberedEvent[];
}

/**
 * The events of a streamed response. One item is open at a time; each opens, grows and closes before the next, because
 * clients build the response from these events and throw at a piece whose item they have not seen opened.
 */
export class ResponsesStreamRenderer implements StreamRenderer {
  private sequence = 0;
  private readonly output: OutputItem[] = [];
  private open: OpenItem | undefined;

  constructor(private readonly response: ResponsesResponse) {}

  render(event: GenerationEvent): readonly Frame[] {
    return this.number(this.events(event));
  }

  /** The last event says all; this part of the family has no `[DONE]`. */
  end(): readonly Frame[] {
    return [];
  }

  fail(error: GenerationError): readonly Frame[] {
    const { message, code, type, param } = renderErrorBody(error).error;
    return this.number([
      { type: 'error', code: code ?? type, message, param },
      {
        type: 'response.failed',
        response: {
          ...this.response,
          status: 'failed',
          error: { code: code ?? type, message },
          output: [...this.output],
        },
      },
    ]);
  }

  private events(event: GenerationEvent): readonly UnnumberedEvent[] {
    switch (event.type) {
      case 'start':
        return [
          { type: 'response.created', response: this.response },
          { type: 'response.in_progress', response: this.response },
        ];
      case 'reasoning-delta': {
        const { item, opening } = this.current(ReasoningStream);
        return [...opening, ...item.add(event.text)];
      }
      case 'text-delta': {
        const { item, opening } = this.current(MessageStream);
        return [...opening, ...item.add(event.text, event.logprobs ?? [])];
      }
      case 'tool-call-start':
        return this.begin((index) => new CallStream(index, event.id, event.name)).opening;
      case 'tool-call-delta':
        return this.open instanceof CallStream ? this.open.add(event.argumentsText) : [];
      case 'tool-call-end':
        return this.close('completed');
      case 'prompt-progress':
        return [];
      case 'finish':
        return this.finish(event);
      default:
        return event satisfies never;
    }
  }

  /** The open item if it is of that kind, else a new one after the open one is closed. */
  private current<Item extends OpenItem>(kind: new (index: number) => Item): OpenedItem<Item> {
    if (this.open instanceof kind) return { item: this.open, opening: [] };
    return this.begin((index) => new kind(index));
  }

  private begin<Item extends OpenItem>(create: (index: number) => Item): OpenedItem<Item> {
    const closing = this.close('completed');
    const item = create(this.output.length);
    this.open = item;
    return { item, opening: [...closing, ...item.begin()] };
  }

  private close(status: 'completed' | 'incomplete'): readonly UnnumberedEvent[] {
    if (!this.open) return [];
    const { item, events } = this.open.end(status);
    this.output.push(item);
    this.open = undefined;
    return events;
  }

  private finish({ reason, usage }: FinishEvent): readonly UnnumberedEvent[] {
    const cut = wasCut(reason);
    const closing = this.close(cut ? 'incomplete' : 'completed');
    const response = finishResponse(this.response, reason, usage, this.output);
    return [...closing, { type: cut ? 'response.incomplete' : 'response.completed', response }];
  }

  private number(events: readonly UnnumberedEvent[]): readonly Frame[] {
    return events.map((event) => {
      const data = { ...event, sequence_number: this.sequence };
      this.sequence += 1;
      return { event: event.type, data };
    });
  }
}
