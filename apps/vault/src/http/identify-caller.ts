import { requireToken } from '@hearth/auth-middleware/require-token';
import type { TokenVerifier } from '@hearth/auth-middleware/token-verifier';
import type { Request, RequestHandler } from 'express';
import type { Session } from '../sessions/session.js';
import type { SessionService } from '../sessions/session-service.js';
import type { Cookies } from './cookies.js';
import { isOpenPath } from './security/open-paths.js';

declare global {
  namespace Express {
    interface Request {
      /** The browser session of this request. Set by `identifyCaller`, and never beside a token. */
      browserSession?: Session | undefined;
    }
  }
}

export const realm = 'secrets';

export interface IdentifyCallerParts {
  readonly verifier: TokenVerifier;
  readonly sessions: SessionService;
  readonly cookies: Cookies;
}

/**
 * Finds out who calls the API: by token when an Authorization header is there, and then the cookie is not looked at;
 * else by the session of the browser. A bad token ends the request here; no credentials at all are for the routes to
 * judge. A session may do everything its owner may, so it holds every scope. Where nobody is asked who they are, not
 * even a bad token is looked at.
 */
export function identifyCaller({ verifier, sessions, cookies }: IdentifyCallerParts): RequestHandler {
  const byToken = requireToken({ verifier, realm, forms: ['bearer'] });
  const bySession = loadSession({ sessions, cookies });
  return async (request, response, next) => {
    if (isOpenPath(request.path)) return next();
    if (request.headers.authorization !== undefined) return byToken(request, response, next);
    return bySession(request, response, next);
  };
}

/** The session alone, for the pages of the sign-in, where a token has no say. */
export function loadSession({
  sessions,
  cookies,
}: Pick<IdentifyCallerParts, 'sessions' | 'cookies'>): RequestHandler {
  return async (request, _response, next) => {
    const session = await sessionOf(request, sessions, cookies);
    if (session) {
      request.browserSession = session;
      request.principal = {
        id: session.userId,
        label: session.displayName,
        scopes: new Set(['*']),
        facts: { kind: 'session', userId: session.userId, sessionId: session.id },
      };
    }
    next();
  };
}

async function sessionOf(
  request: Request,
  sessions: SessionService,
  cookies: Cookies,
): Promise<Session | undefined> {
  const secret = cookies.read(request)[cookies.names.session];
  return secret === undefined ? undefined : sessions.resolve(secret);
}
