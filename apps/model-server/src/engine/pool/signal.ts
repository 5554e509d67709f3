import { GenerationError } from '../../generation/generation-error.js';

/** Something happened: whoever waits looks again. */
export class Signal {
  #waiting: (() => void)[] = [];

  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  fire(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new GenerationError('cancelled', 'the request was cancelled');
}

/** Waits for a promise that others wait for, too, but no longer than this caller wants. */
export async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new GenerationError('cancelled', 'the request was cancelled'));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (onAbort) signal.removeEventListener('abort', onAbort);
  }
}
