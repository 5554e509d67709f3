import type { Request } from 'express';
import { VaultError } from '../errors/vault-error.js';
import type { Session } from '../sessions/session.js';

/** The browser session of a request, for what a token must not do. */
export function sessionFor(request: Request): Session {
  if (request.browserSession) return request.browserSession;
  if (request.principal) {
    throw new VaultError('forbidden', 'This can be done in the console only, not with a token.');
  }
  throw new VaultError('unauthenticated', 'Sign in to the console to do this.', {
    headers: { 'www-authenticate': 'Bearer realm="secrets"' },
  });
}
