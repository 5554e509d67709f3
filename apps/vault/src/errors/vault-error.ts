import { type ErrorCode, errorCodes } from './error-codes.js';

/** One field that is wrong: where it stands in the body (JSON Pointer), and why, without repeating its value. */
export interface FieldProblem {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

export interface VaultErrorOptions {
  readonly errors?: readonly FieldProblem[];
  /** Reply headers that belong to the error: `retry-after`, `allow`, `www-authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of the problem document; never a secret value. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** For the log only; never shown to a caller. */
  readonly cause?: unknown;
}

/** The one error type of the vault. Its message is written for the caller and safe to show. */
export class VaultError extends Error {
  override readonly name = 'VaultError';
  readonly status: number;
  readonly errors: readonly FieldProblem[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(
    readonly code: ErrorCode,
    message: string = errorCodes[code].title,
    options: VaultErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = errorCodes[code].status;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
    this.facts = options.facts ?? {};
  }
}
