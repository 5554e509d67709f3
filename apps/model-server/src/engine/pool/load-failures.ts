import { GenerationError } from '../../generation/generation-error.js';
import { fileFingerprint } from './file-fingerprint.js';

const firstWaitMs = 5_000;
const longestWaitMs = 300_000;
/** The first crash is forgiven at once; after that every restart has to wait longer. */
const freeCrashes = 1;

interface Trouble {
  readonly fingerprint: string | undefined;
  readonly error: GenerationError;
  readonly times: number;
  readonly until: number;
}

/** Remembers which models cannot be loaded or keep crashing, so that they are not tried again for ever. */
export class LoadFailures {
  readonly #troubles = new Map<string, Trouble>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Throws what happened last time, unless the file has changed or enough time has passed. */
  check(name: string, path: string): void {
    const trouble = this.#troubles.get(name);
    if (!trouble || this.#now() >= trouble.until) return;
    if (trouble.fingerprint !== fileFingerprint(path)) {
      this.#troubles.delete(name);
      return;
    }
    throw new GenerationError(trouble.error.code, trouble.error.message, {
      retryAfterSeconds: Math.max(1, Math.ceil((trouble.until - this.#now()) / 1000)),
      facts: trouble.error.facts,
    });
  }

  record(name: string, path: string, error: GenerationError): void {
    const times = (this.#troubles.get(name)?.times ?? 0) + 1;
    const forgiven = error.code === 'engine-crashed' && times <= freeCrashes;
    const wait = forgiven ? 0 : Math.min(longestWaitMs, firstWaitMs * 2 ** (times - 1));
    this.#troubles.set(name, {
      fingerprint: fileFingerprint(path),
      error,
      times,
      until: this.#now() + wait,
    });
  }

  /** The model has done its work: whatever was wrong is over. */
  clear(name: string): void {
    this.#troubles.delete(name);
  }
}
