import type { ResponsesEvent } from '@hearth/protocol-types/completions/responses-event';
import type { OutputItem } from '@hearth/protocol-types/completions/responses-output-item';
import type { TokenLogprob } from '../../../generation/generation-event.js';
import { newId } from '../new-id.js';
import { renderLogprobs } from '../render-logprobs.js';
import { callItem, messageItem, reasoningItem, textPart } from './output-items.js';

type WithoutNumber<Event> = Event extends ResponsesEvent ? Omit<Event, 'sequence_number'> : never;

/** An event that has not been numbered yet. */
export type UnnumberedEvent = WithoutNumber<ResponsesEvent>;

type EndStatus = 'completed' | 'incomplete';

interface EndedItem {
  readonly item: OutputItem;
  readonly events: readonly UnnumberedEvent[];
}

/** An output item while it is being written: its opening, its pieces, its end, in the order that clients insist on. */
export interface OpenItem {
  begin(): readonly UnnumberedEvent[];
  end(status: EndStatus): EndedItem;
}

export class ReasoningStream implements OpenItem {
  private readonly id = newId('rs_');
  private text = '';

  constructor(private readonly index: number) {}

  private get place() {
    return { item_id: this.id, output_index: this.index, summary_index: 0 };
  }

  begin(): readonly UnnumberedEvent[] {
    const item = reasoningItem(this.id, 'in_progress');
    return [
      { type: 'response.output_item.added', output_index: this.index, item },
      {
        type: 'response.reasoning_summary_part.added',
        ...this.place,
        part: { type: 'summary_text', text: '' },
      },
    ];
  }

  add(delta: string): readonly UnnumberedEvent[] {
    this.text += delta;
    return [{ type: 'response.reasoning_summary_text.delta', ...this.place, delta }];
  }

  end(status: EndStatus): EndedItem {
    const { text, place } = this;
    const item = reasoningItem(this.id, status, text);
    const events: UnnumberedEvent[] = [
      { type: 'response.reasoning_summary_text.done', ...place, text },
      { type: 'response.reasoning_summary_part.done', ...place, part: { type: 'summary_text', text } },
      { type: 'response.output_item.done', output_index: this.index, item },
    ];
    return { item, events };
  }
}

export class MessageStream implements OpenItem {
  private readonly id = newId('msg_');
  private readonly logprobs: TokenLogprob[] = [];
  private text = '';

  constructor(private readonly index: number) {}

  private get place() {
    return { item_id: this.id, output_index: this.index, content_index: 0 };
  }

  begin(): readonly UnnumberedEvent[] {
    const item = messageItem(this.id, 'in_progress');
    return [
      { type: 'response.output_item.added', output_index: this.index, item },
      { type: 'response.content_part.added', ...this.place, part: textPart('', []) },
    ];
  }

  add(delta: string, logprobs: readonly TokenLogprob[]): readonly UnnumberedEvent[] {
    this.text += delta;
    this.logprobs.push(...logprobs);
    return [{ type: 'response.output_text.delta', ...this.place, delta, logprobs: renderLogprobs(logprobs) }];
  }

  end(status: EndStatus): EndedItem {
    const { text, logprobs, place } = this;
    const part = textPart(text, logprobs);
    const item = messageItem(this.id, status, part);
    const events: UnnumberedEvent[] = [
      { type: 'response.output_text.done', ...place, text, logprobs: renderLogprobs(logprobs) },
      { type: 'response.content_part.done', ...place, part },
      { type: 'response.output_item.done', output_index: this.index, item },
    ];
    return { item, events };
  }
}

export class CallStream implements OpenItem {
  private readonly id = newId('fc_');
  private argumentsText = '';

  constructor(
    private readonly index: number,
    private readonly callId: string,
    private readonly name: string,
  ) {}

  begin(): readonly UnnumberedEvent[] {
    return [{ type: 'response.output_item.added', output_index: this.index, item: this.item('in_progress') }];
  }

  add(delta: string): readonly UnnumberedEvent[] {
    this.argumentsText += delta;
    const place = { item_id: this.id, output_index: this.index };
    return [{ type: 'response.function_call_arguments.delta', ...place, delta }];
  }

  end(status: EndStatus): EndedItem {
    const item = this.item(status);
    const place = { item_id: this.id, output_index: this.index };
    const { name, argumentsText } = this;
    const events: UnnumberedEvent[] = [
      { type: 'response.function_call_arguments.done', ...place, name, arguments: argumentsText },
      { type: 'response.output_item.done', output_index: this.index, item },
    ];
    return { item, events };
  }

  private item(status: EndStatus | 'in_progress'): OutputItem {
    const { callId, name, argumentsText } = this;
    return callItem(this.id, status, { id: callId, name, argumentsText });
  }
}
