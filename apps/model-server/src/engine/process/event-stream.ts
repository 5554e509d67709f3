import type { GenerationEvent } from '../../generation/generation-event.js';

/** How many events are read before the child is told: often enough for its credit, rarely enough to cost nothing. */
const readBatch = 64;

export interface EventStreamOptions {
  readonly onRead: (count: number) => void;
  /** The reader left before the end. */
  readonly onLeave: () => void;
  /** Nothing more comes, for whatever reason. */
  readonly onEnd: () => void;
}

/** The events of one generation on their way from the child to whoever reads them. One reader. */
export class EventStream implements AsyncIterableIterator<GenerationEvent> {
  readonly #options: EventStreamOptions;
  readonly #events: GenerationEvent[] = [];
  #wake: (() => void) | undefined;
  #ended = false;
  #error: unknown;
  #read = 0;

  constructor(options: EventStreamOptions) {
    this.#options = options;
  }

  push(event: GenerationEvent): void {
    if (this.#ended) return;
    this.#events.push(event);
    if (event.type === 'finish') this.#end();
    this.#wake?.();
  }

  /** What has arrived is still read; the error comes after it. */
  fail(error: unknown): void {
    if (this.#ended) return;
    this.#error = error;
    this.#end();
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<GenerationEvent, undefined>> {
    while (this.#events.length === 0) {
      if (this.#error !== undefined) {
        const error = this.#error;
        this.#error = undefined;
        throw error;
      }
      if (this.#ended) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    this.#read += 1;
    if (this.#read >= readBatch && !this.#ended) {
      this.#options.onRead(this.#read);
      this.#read = 0;
    }
    return { done: false, value: this.#events.shift() as GenerationEvent };
  }

  async return(): Promise<IteratorResult<GenerationEvent, undefined>> {
    if (!this.#ended) {
      this.#end();
      this.#options.onLeave();
    }
    this.#events.length = 0;
    return { done: true, value: undefined };
  }

  #end(): void {
    this.#ended = true;
    this.#options.onEnd();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
