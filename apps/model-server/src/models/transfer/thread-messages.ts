import type { FetchJob } from './fetch-to-file.js';
import type { ProxySettings } from './proxy-rules.js';
import { TransferError } from './transfer-error.js';

/** What a download thread is started with. */
export interface ThreadWork {
  readonly job: FetchJob;
  readonly url: string;
  readonly allowPlainHttp: boolean;
  readonly client: {
    readonly userAgent: string;
    readonly stallMs: number;
    readonly proxies?: ProxySettings | undefined;
    readonly trustedCertificates?: string | undefined;
  };
}

/** Credentials stay with the owner of the thread, which asks for them. */
export type Question =
  | { readonly about: 'authorization' }
  | { readonly about: 'challenge'; readonly header: string | undefined };

export type FromThread =
  | { readonly kind: 'progress'; readonly completedBytes: number }
  | { readonly kind: 'question'; readonly id: number; readonly question: Question }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: SentError };

export type ToThread =
  | { readonly kind: 'stop' }
  | { readonly kind: 'answer'; readonly id: number; readonly value: string | boolean | undefined }
  | { readonly kind: 'refusal'; readonly id: number; readonly error: SentError };

/** An error on its way between threads, which would lose its class and its fields. */
export interface SentError {
  readonly message: string;
  readonly code?: string | undefined;
  readonly transfer?: { retryable: boolean; status: number | undefined; retryAfterMs: number | undefined };
  /** The question whose answer was this error: its owner still has the error itself. */
  readonly questionId?: number | undefined;
}

/** An error that was sent and is thrown on the other side. */
class ReceivedError extends Error {
  constructor(
    message: string,
    readonly code: string | undefined,
    readonly questionId: number | undefined,
  ) {
    super(message);
  }
}

export function sendableError(error: unknown, questionId?: number): SentError {
  const { message, code } = error as NodeJS.ErrnoException;
  if (error instanceof TransferError) {
    const { retryable, status, retryAfterMs } = error;
    return { message, transfer: { retryable, status, retryAfterMs } };
  }
  return { message, code, questionId: error instanceof ReceivedError ? error.questionId : questionId };
}

export function receivedError({ message, code, transfer, questionId }: SentError): Error {
  if (!transfer) return new ReceivedError(message, code, questionId);
  const { retryable, status, retryAfterMs } = transfer;
  return new TransferError(message, { retryable, retryAfterMs, ...(status === undefined ? {} : { status }) });
}
