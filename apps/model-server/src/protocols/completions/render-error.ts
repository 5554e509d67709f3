import type { ErrorBody } from '@hearth/protocol-types/completions/error';
import type { GenerationError, GenerationErrorCode } from '../../generation/generation-error.js';
import type { RenderedError } from '../../http/dialect.js';
import { errorStatus, retryHeaders } from '../../http/error-status.js';

/** What the hosted API calls each error; codes only where its clients look for them. */
const typeOf: Readonly<Record<GenerationErrorCode, readonly [type: string, code?: string]>> = {
  'invalid-request': ['invalid_request_error'],
  unsupported: ['invalid_request_error', 'unsupported_value'],
  unauthenticated: ['authentication_error', 'invalid_api_key'],
  forbidden: ['permission_error'],
  'host-not-allowed': ['permission_error'],
  'path-not-found': ['not_found_error'],
  'method-not-allowed': ['invalid_request_error', 'method_not_allowed'],
  'body-too-large': ['invalid_request_error', 'request_too_large'],
  'unsupported-encoding': ['invalid_request_error'],
  'model-not-found': ['not_found_error', 'model_not_found'],
  conflict: ['invalid_request_error', 'conflict'],
  'context-overflow': ['exceed_context_size_error', 'context_length_exceeded'],
  overloaded: ['server_error', 'overloaded'],
  'does-not-fit': ['server_error', 'insufficient_memory'],
  'model-unloadable': ['server_error', 'model_unloadable'],
  'engine-crashed': ['server_error', 'engine_crashed'],
  'upstream-failed': ['server_error', 'upstream_failed'],
  cancelled: ['invalid_request_error', 'cancelled'],
  stopping: ['server_error', 'stopping'],
  internal: ['server_error'],
};

export function renderErrorBody(error: GenerationError): ErrorBody {
  const [type, code] = typeOf[error.code];
  return {
    error: {
      message: error.message,
      type,
      param: error.param ?? null,
      code: code ?? null,
      ...contextCounts(error),
    },
  };
}

/** Clients that shorten a conversation by themselves read both counts. */
function contextCounts({ code, facts }: GenerationError): Partial<ErrorBody['error']> {
  const { promptTokens, contextLength } = facts;
  if (code !== 'context-overflow') return {};
  return {
    ...(typeof promptTokens === 'number' ? { n_prompt_tokens: promptTokens } : {}),
    ...(typeof contextLength === 'number' ? { n_ctx: contextLength } : {}),
  };
}

export function renderError(error: GenerationError): RenderedError {
  return { status: errorStatus[error.code], headers: retryHeaders(error.code), body: renderErrorBody(error) };
}
