/**
 * Everything that can go wrong between a request and its last token, as a closed list. Each dialect maps a code to
 * its own status, type and wording; nothing else decides that.
 */
export const generationErrorCodes = [
  'invalid-request',
  'unsupported',
  'unauthenticated',
  'forbidden',
  'host-not-allowed',
  'path-not-found',
  'method-not-allowed',
  'body-too-large',
  'unsupported-encoding',
  'model-not-found',
  'conflict',
  'context-overflow',
  'overloaded',
  'does-not-fit',
  'model-unloadable',
  'engine-crashed',
  'upstream-failed',
  'cancelled',
  'stopping',
  'internal',
] as const;

export type GenerationErrorCode = (typeof generationErrorCodes)[number];

export interface GenerationErrorOptions {
  /** The request field at fault, as the caller spelled it (`messages.0.content`). */
  readonly param?: string;
  /** When trying again makes sense. */
  readonly retryAfterSeconds?: number;
  /** Both counts of a context overflow, both sizes of a refused load: numbers a dialect may print. */
  readonly facts?: Readonly<Record<string, number | string>>;
  /** For the log only; never shown to a caller. */
  readonly cause?: unknown;
}

/** The one error type of the model server. Its message is written for the caller and safe to show. */
export class GenerationError extends Error {
  override readonly name = 'GenerationError';
  readonly param: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly facts: Readonly<Record<string, number | string>>;

  constructor(
    readonly code: GenerationErrorCode,
    message: string,
    options: GenerationErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.param = options.param;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.facts = options.facts ?? {};
  }
}
