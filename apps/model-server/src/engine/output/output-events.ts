import type {
  ReasoningDeltaEvent,
  TextDeltaEvent,
  TokenLogprob,
  ToolCallDeltaEvent,
  ToolCallEndEvent,
  ToolCallStartEvent,
} from '../../generation/generation-event.js';

export type OutputEvent =
  | ReasoningDeltaEvent
  | TextDeltaEvent
  | ToolCallStartEvent
  | ToolCallDeltaEvent
  | ToolCallEndEvent;

export interface OutputEventList {
  readonly toolCallCount: number;
  /** A call was started and not ended. */
  readonly callIsOpen: boolean;
  delta(
    type: 'text-delta' | 'reasoning-delta',
    text: string,
    logprobs: readonly TokenLogprob[] | undefined,
  ): void;
  startCall(name: string): void;
  argumentsText(text: string): void;
  endCall(): void;
  /** The events since the last time, neighbours of one kind merged. */
  take(): OutputEvent[];
}

export function createOutputEventList(newCallId: () => string): OutputEventList {
  let events: OutputEvent[] = [];
  let started = 0;
  let open = false;

  return {
    get toolCallCount() {
      return started;
    },
    get callIsOpen() {
      return open;
    },
    delta(type, text, logprobs) {
      if (text === '' && !logprobs) return;
      const last = events.at(-1);
      const joins = last?.type === type;
      const all = joins && last.logprobs ? [...last.logprobs, ...(logprobs ?? [])] : logprobs;
      const event = { type, text: joins ? last.text + text : text, ...(all ? { logprobs: all } : {}) };
      if (joins) events[events.length - 1] = event;
      else events.push(event);
    },
    startCall(name) {
      open = true;
      events.push({ type: 'tool-call-start', index: started, id: newCallId(), name });
      started += 1;
    },
    argumentsText(text) {
      const index = started - 1;
      const last = events.at(-1);
      if (last?.type === 'tool-call-delta' && last.index === index) {
        events[events.length - 1] = { ...last, argumentsText: last.argumentsText + text };
      } else events.push({ type: 'tool-call-delta', index, argumentsText: text });
    },
    endCall() {
      open = false;
      events.push({ type: 'tool-call-end', index: started - 1 });
    },
    take() {
      const taken = events;
      events = [];
      return taken;
    },
  };
}
