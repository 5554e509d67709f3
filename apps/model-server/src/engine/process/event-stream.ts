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

type Result = IteratorResult<GenerationEvent, undefined>;

interface Reader {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** The events of one generation on their way from the child to whoever reads them. One reader. */
export class EventStream implements AsyncIterableIterator<GenerationEvent> {
  readonly #options: EventStreamOptions;
  readonly #events: GenerationEvent[] = [];
  /** Waits for the next event; an event goes straight to it, without a round through the list. */
  #reader: Reader | undefined;
  #ended = false;
  #error: unknown;
  #read = 0;

  constructor(options: EventStreamOptions) {
    this.#options = options;
  }

  push(event: GenerationEvent): void {
    if (this.#ended) return;
    if (event.type === 'finish') this.#end();
    const reader = this.#takeReader();
    if (reader) reader.resolve(this.#give(event));
    else this.#events.push(event);
  }

  /** What has arrived is still read; the error comes after it. */
  fail(error: unknown): void {
    if (this.#ended) return;
    this.#end();
    const reader = this.#takeReader();
    if (reader) reader.reject(error);
    else this.#error = error;
  }

  next(): Promise<Result> {
    const event = this.#events.shift();
    if (event) return Promise.resolve(this.#give(event));
    if (this.#error !== undefined) {
      const error = this.#error;
      this.#error = undefined;
      return Promise.reject(error);
    }
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
    });
  }

  async return(): Promise<Result> {
    if (!this.#ended) {
      this.#end();
      this.#options.onLeave();
    }
    this.#events.length = 0;
    return { done: true, value: undefined };
  }

  #takeReader(): Reader | undefined {
    const reader = this.#reader;
    this.#reader = undefined;
    return reader;
  }

  #give(event: GenerationEvent): Result {
    this.#read += 1;
    if (this.#read >= readBatch && !this.#ended) {
      this.#options.onRead(this.#read);
      this.#read = 0;
    }
    return { done: false, value: event };
  }

  #end(): void {
    this.#ended = true;
    this.#options.onEnd();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
