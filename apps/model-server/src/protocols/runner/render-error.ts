import type { GenerationError } from '../../generation/generation-error.js';
import type { RenderedError } from '../../http/dialect.js';
import { errorStatus, retryHeaders } from '../../http/error-status.js';

/** This family's error is always a plain string. */
export function renderError(error: GenerationError): RenderedError {
  return {
    status: errorStatus[error.code],
    headers: retryHeaders(error.code),
    body: { error: error.message },
  };
}
