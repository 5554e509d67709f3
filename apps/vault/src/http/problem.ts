import { errorCodes } from '../errors/error-codes.js';
import type { FieldProblem, VaultError } from '../errors/vault-error.js';

/** A problem document as of RFC 9457. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly request_id: string;
  readonly errors?: readonly FieldProblem[];
  readonly [fact: string]: unknown;
}

export const problemContentType = 'application/problem+json';

export function problemOf(error: VaultError, requestId: string): Problem {
  return {
    ...error.facts,
    type: `urn:hearth:problem:${error.code.replaceAll('_', '-')}`,
    title: errorCodes[error.code].title,
    status: error.status,
    detail: error.message,
    code: error.code,
    request_id: requestId,
    ...(error.errors ? { errors: error.errors } : {}),
  };
}
