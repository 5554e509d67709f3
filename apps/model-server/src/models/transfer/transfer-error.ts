/** A request to another server that failed. `retryable` says whether asking again can help. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
  readonly retryable: boolean;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    options: {
      readonly retryable: boolean;
      readonly status?: number;
      readonly retryAfterMs?: number | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retryable = options.retryable;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
  }
}

const retryableStatuses = new Set([408, 425, 429, 500, 502, 503, 504]);

export function errorForStatus(
  status: number,
  headers: { readonly 'retry-after'?: string | undefined },
  what: string,
) {
  const seconds = Number(headers['retry-after']);
  return new TransferError(`${what}: the server answered ${status}`, {
    status,
    retryable: retryableStatuses.has(status),
    retryAfterMs: Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 120) * 1000 : undefined,
  });
}
