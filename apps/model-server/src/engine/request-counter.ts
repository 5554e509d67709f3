import { GenerationError } from '../generation/generation-error.js';

const longestRetrySeconds = 60;

/** Bounds how many requests wait for their turn, over all models, and guesses when a turn comes free. */
export class RequestCounter {
  readonly #maxWaiting: number;
  readonly #parallel: number;
  #waiting = 0;
  #running = 0;
  #usualMs = 1000;

  constructor(maxWaiting: number, parallel: number) {
    this.#maxWaiting = maxWaiting;
    this.#parallel = Math.max(1, parallel);
  }

  get waiting(): number {
    return this.#waiting;
  }

  get running(): number {
    return this.#running;
  }

  /** Counts a request in, or refuses it. It counts as waiting until it starts. */
  enter(): { started(): void; left(): void } {
    if (this.#waiting >= this.#maxWaiting) {
      throw new GenerationError(
        'overloaded',
        `the server is busy: ${this.#waiting} requests are waiting already`,
        {
          retryAfterSeconds: this.#retryAfterSeconds(),
          facts: { waiting: this.#waiting, maxQueue: this.#maxWaiting },
        },
      );
    }
    this.#waiting += 1;
    let startedAt: number | undefined;
    let here = true;
    return {
      started: () => {
        if (startedAt !== undefined || !here) return;
        startedAt = performance.now();
        this.#waiting -= 1;
        this.#running += 1;
      },
      left: () => {
        if (!here) return;
        here = false;
        if (startedAt === undefined) {
          this.#waiting -= 1;
          return;
        }
        this.#running -= 1;
        this.#usualMs = this.#usualMs * 0.8 + (performance.now() - startedAt) * 0.2;
      },
    };
  }

  #retryAfterSeconds(): number {
    const turns = Math.ceil((this.#waiting + 1) / this.#parallel);
    return Math.max(1, Math.min(longestRetrySeconds, Math.ceil((turns * this.#usualMs) / 1000)));
  }
}
