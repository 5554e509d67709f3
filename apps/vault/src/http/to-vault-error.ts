import { AuthenticationError, AuthorizationError } from '@hearth/auth-middleware/auth-errors';
import { databaseErrorCode } from '../db/transaction.js';
import { VaultError } from '../errors/vault-error.js';

/** Turns whatever a handler threw into one of our own errors. What is not known becomes `internal`, without its text. */
export function toVaultError(error: unknown): VaultError {
  if (error instanceof VaultError) return error;
  if (error instanceof AuthenticationError) return authenticationProblem(error);
  if (error instanceof AuthorizationError) {
    return new VaultError('insufficient_scope', error.message, {
      headers: { 'www-authenticate': error.wwwAuthenticate },
      facts: { required_scopes: error.requiredScopes },
    });
  }
  return (
    fromBodyParser(error) ?? fromDatabase(error) ?? new VaultError('internal', undefined, { cause: error })
  );
}

/** One body for missing, malformed, unknown, expired and revoked: only the owner learns which it was. */
function authenticationProblem(error: AuthenticationError): VaultError {
  return new VaultError(
    'unauthenticated',
    'Send a valid token in the header "Authorization: Bearer <token>".',
    { headers: { 'www-authenticate': error.wwwAuthenticate } },
  );
}

/** By its type: the message and the error itself repeat the body, which may hold a secret. */
function fromBodyParser(error: unknown): VaultError | undefined {
  const { type, status } = (error ?? {}) as { type?: unknown; status?: unknown };
  switch (type) {
    case 'entity.parse.failed':
      return new VaultError('malformed_json');
    case 'entity.too.large':
      return new VaultError('body_too_large');
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new VaultError('unsupported_media_type');
    case 'request.aborted':
    case 'request.size.invalid':
    case 'entity.verify.failed':
      return new VaultError('invalid_request');
    default:
      // What is left of Express' own: a path that cannot be decoded.
      return status === 400 ? new VaultError('invalid_request') : undefined;
  }
}

const unreachable = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE']);

function fromDatabase(error: unknown): VaultError | undefined {
  const unavailable = () =>
    new VaultError('database_unavailable', undefined, { cause: error, headers: { 'retry-after': '2' } });
  const code = databaseErrorCode(error);
  // 08: connection, 53: out of resources, 57: shutting down or cancelled, 25P03: idle in transaction.
  if (code !== undefined) return /^(08|53|57|25P03)/.test(code) ? unavailable() : undefined;
  for (let current = asFailure(error); current !== undefined; current = asFailure(current.cause)) {
    if (unreachable.has(String(current.code))) return unavailable();
    // The texts of pg and pg-pool for a connection that broke or could not be had; they carry no code.
    if (/^(timeout exceeded when trying to connect|Connection terminated)/.test(String(current.message))) {
      return unavailable();
    }
  }
  return undefined;
}

/** By its parts, not its class: an error of a socket may come from another realm than our own. */
function asFailure(error: unknown): { code?: unknown; message?: unknown; cause?: unknown } | undefined {
  return typeof error === 'object' && error !== null ? error : undefined;
}
