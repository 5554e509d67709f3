import { GenerationError, type GenerationErrorCode } from '../../generation/generation-error.js';

/** A GenerationError on its way between two processes. */
export interface WireError {
  readonly code: GenerationErrorCode;
  readonly message: string;
  readonly param?: string;
  readonly facts: Readonly<Record<string, number | string>>;
  /** What really happened, for the log of the server. */
  readonly detail?: string;
}

/** Anything thrown in the child, as plain data. What is not a GenerationError is a fault of ours: only the log sees it. */
export function toWireError(error: unknown): WireError {
  if (error instanceof GenerationError) {
    return {
      code: error.code,
      message: error.message,
      facts: error.facts,
      ...(error.param === undefined ? {} : { param: error.param }),
      ...(error.cause === undefined ? {} : { detail: String(error.cause) }),
    };
  }
  return {
    code: 'internal',
    message: 'the engine failed on this request',
    facts: {},
    detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}

export function fromWireError(error: WireError): GenerationError {
  return new GenerationError(error.code, error.message, {
    facts: error.facts,
    ...(error.param === undefined ? {} : { param: error.param }),
    ...(error.detail === undefined ? {} : { cause: error.detail }),
  });
}
