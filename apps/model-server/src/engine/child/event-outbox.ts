import type { GenerationEvent } from '../../generation/generation-event.js';
import type { ChildMessage } from '../ipc/child-message.js';
import type { WireError } from '../ipc/wire-error.js';

/** Long enough for the next step's threads to have found their cores, too short for a reader to notice. */
const politeDelayMs = 1;

/** Gathers the events of a step and sends them as one message. */
export class EventOutbox {
  readonly #send: (message: ChildMessage) => void;
  #events: (readonly [number, GenerationEvent])[] = [];
  #timer: NodeJS.Timeout | undefined;

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

  /**
   * Sends while the next step is already being computed. A message wakes the server, and the server its client: if they
   * are given a core just when the threads of a step are started, two of those threads share another one, wait for each
   * other in turns, and the step takes two or three times as long.
   */
  flushSoon(): void {
    if (this.#events.length > 0) this.#timer ??= setTimeout(() => this.flush(), politeDelayMs);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#events.length === 0) return;
    const events = this.#events;
    this.#events = [];
    this.#send({ type: 'events', events });
  }
}
