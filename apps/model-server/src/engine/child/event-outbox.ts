import type { GenerationEvent } from '../../generation/generation-event.js';
import type { ChildMessage } from '../ipc/child-message.js';
import type { WireError } from '../ipc/wire-error.js';

/** Gathers the events of a step and sends them as one message. */
export class EventOutbox {
  readonly #send: (message: ChildMessage) => void;
  #events: (readonly [number, GenerationEvent])[] = [];

  constructor(send: (message: ChildMessage) => void) {
    this.#send = send;
  }

  push(id: number, event: GenerationEvent): void {
    this.#events.push([id, event]);
  }

  fail(id: number, error: WireError): void {
    this.flush();
    this.#send({ type: 'failed', id, error });
  }

  flush(): void {
    if (this.#events.length === 0) return;
    const events = this.#events;
    this.#events = [];
    this.#send({ type: 'events', events });
  }
}
