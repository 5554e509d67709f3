import { setTimeout as wait } from 'node:timers/promises';
import { TransferError } from './transfer-error.js';

export interface RetryPolicy {
  /** How often in a row something may fail without any progress in between. */
  readonly maxFailures: number;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/** For a transfer under way: an outage of a minute or two is sat out. */
export const patientRetries: RetryPolicy = { maxFailures: 10, firstDelayMs: 500, maxDelayMs: 30_000 };

/** For the first question to a host: somebody waits to hear that its name is wrong or the network away. */
export const briefRetries: RetryPolicy = { maxFailures: 3, firstDelayMs: 300, maxDelayMs: 2_000 };

/** Counts failures in a row and waits longer after each; the server's own `Retry-After` goes first. */
export class BackOff {
  private failures = 0;

  constructor(
    private readonly policy: RetryPolicy,
    private readonly signal: AbortSignal,
  ) {}

  /** Something moved: what failed before no longer counts. */
  reset(): void {
    this.failures = 0;
  }

  /** Waits before the next attempt, or throws the error when another attempt cannot help. */
  async afterFailure(error: unknown): Promise<void> {
    this.signal.throwIfAborted();
    if (!(error instanceof TransferError) || !error.retryable) throw error;
    this.failures += 1;
    if (this.failures >= this.policy.maxFailures) throw error;
    const doubled = this.policy.firstDelayMs * 2 ** (this.failures - 1);
    // Spread out, so that eight connections that fell together do not come back together.
    const spread = doubled * (0.5 + Math.random() / 2);
    const delay = Math.max(error.retryAfterMs ?? 0, Math.min(spread, this.policy.maxDelayMs));
    await wait(delay, undefined, { signal: this.signal });
  }
}

/** Tries something small until it works or cannot. */
export async function withRetries<T>(
  policy: RetryPolicy,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const backOff = new BackOff(policy, signal);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      await backOff.afterFailure(error);
    }
  }
}
