import type { Request, RequestHandler } from 'express';
import { VaultError } from '../errors/vault-error.js';
import type { Session } from '../sessions/session.js';
import type { SessionService } from '../sessions/session-service.js';

/** For what only a signed-in browser may do: a stolen token must not be able to make itself at home. */
export function requireSession(): RequestHandler {
  return (request, _response, next) => {
    sessionFor(request);
    next();
  };
}

/** As `requireSession`, and the sign-in must be recent. */
export function requireFreshSession(sessions: SessionService): RequestHandler {
  return (request, _response, next) => {
    if (!sessions.isFresh(sessionFor(request))) {
      throw new VaultError('reauthentication_required', 'Sign in again to do this.');
    }
    next();
  };
}

/** The session of a request behind `requireSession`. */
export function sessionFor(request: Request): Session {
  if (request.browserSession) return request.browserSession;
  if (request.principal) {
    throw new VaultError('forbidden', 'This can be done in the console only, not with a token.');
  }
  throw new VaultError('unauthenticated', 'Sign in to the console to do this.', {
    headers: { 'www-authenticate': 'Bearer realm="secrets"' },
  });
}
