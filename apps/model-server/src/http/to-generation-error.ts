import { AuthenticationError, AuthorizationError } from '@hearth/auth-middleware/auth-errors';
import { VaultUnreachableError } from '@hearth/auth-middleware/vault-token-verifier';
import { GenerationError } from '../generation/generation-error.js';

/**
 * Every error that can reach the rim, as one of ours. What is not known becomes `internal` without its text: the
 * text of a stranger's error may hold a prompt, a path or a key.
 */
export function toGenerationError(error: unknown): GenerationError {
  if (error instanceof GenerationError) return error;
  if (error instanceof AuthenticationError) {
    return new GenerationError('unauthenticated', error.message, {
      facts: { wwwAuthenticate: error.wwwAuthenticate },
    });
  }
  if (error instanceof AuthorizationError) {
    return new GenerationError('forbidden', error.message, {
      facts: { wwwAuthenticate: error.wwwAuthenticate },
    });
  }
  if (error instanceof VaultUnreachableError) {
    return new GenerationError('upstream-failed', error.message, { cause: error });
  }
  return fromHttpError(error) ?? new GenerationError('internal', 'internal server error', { cause: error });
}

/** The errors of Express's own parts (body parser, router) carry a `type` or a `status`. */
function fromHttpError(error: unknown): GenerationError | undefined {
  const { type, status } = (error ?? {}) as { type?: unknown; status?: unknown };
  switch (type) {
    case 'entity.parse.failed':
      return new GenerationError('invalid-request', 'the request body is not valid JSON');
    case 'entity.too.large':
      return new GenerationError('body-too-large', 'the request body is too large');
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new GenerationError('unsupported-encoding', 'the encoding of the request body is not supported');
    case 'request.aborted':
      return new GenerationError('cancelled', 'the client closed the connection');
    default:
  }
  if (status === 400) return new GenerationError('invalid-request', 'the request could not be read');
  return undefined;
}
