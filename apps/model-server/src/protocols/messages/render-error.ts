import type { GenerationError, GenerationErrorCode } from '../../generation/generation-error.js';
import type { RenderedError } from '../../http/dialect.js';
import { errorStatus, retryHeaders } from '../../http/error-status.js';

/** What the hosted API calls each error; its clients choose their error class by the status. */
const typeOf: Readonly<Record<GenerationErrorCode, string>> = {
  'invalid-request': 'invalid_request_error',
  unsupported: 'invalid_request_error',
  unauthenticated: 'authentication_error',
  forbidden: 'permission_error',
  'host-not-allowed': 'permission_error',
  'path-not-found': 'not_found_error',
  'method-not-allowed': 'invalid_request_error',
  'body-too-large': 'request_too_large',
  'unsupported-encoding': 'invalid_request_error',
  'model-not-found': 'not_found_error',
  conflict: 'conflict_error',
  'context-overflow': 'invalid_request_error',
  overloaded: 'overloaded_error',
  'does-not-fit': 'api_error',
  'model-unloadable': 'api_error',
  'engine-crashed': 'api_error',
  'upstream-failed': 'api_error',
  cancelled: 'invalid_request_error',
  stopping: 'overloaded_error',
  internal: 'api_error',
};

export function renderErrorBody(error: GenerationError, requestId: string) {
  return {
    type: 'error',
    error: { type: typeOf[error.code], message: error.message },
    request_id: requestId,
  };
}

export function renderError(error: GenerationError, requestId: string): RenderedError {
  return {
    // This family has a status of its own for a server that is full.
    status: error.code === 'overloaded' ? 529 : errorStatus[error.code],
    headers: retryHeaders(error.code),
    body: renderErrorBody(error, requestId),
  };
}
