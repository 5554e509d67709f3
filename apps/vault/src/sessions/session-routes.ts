import type { SessionSummary } from '@hearth/protocol-types/vault/session';
import { Router } from 'express';
import type { AccountService } from '../accounts/account-service.js';
import type { Cookies } from '../http/cookies.js';
import { requestFactsOf } from '../http/request-facts.js';
import { requireSession, sessionFor } from '../http/require-session.js';
import { uuidParameter } from '../http/uuid-parameter.js';
import type { Session } from './session.js';
import type { SessionService } from './session-service.js';

export interface SessionRouteParts {
  readonly sessions: SessionService;
  readonly accounts: AccountService;
  readonly cookies: Cookies;
}

/** Who is signed in here, and where else. */
export function sessionRoutes({ sessions, accounts, cookies }: SessionRouteParts): Router {
  const router = Router();
  router.use(['/api/session', '/api/sessions'], requireSession());

  router.get('/api/session', async (request, response) => {
    const session = sessionFor(request);
    const account = await accounts.get(session.userId);
    response.json({
      user: {
        id: account.id,
        display_name: account.displayName,
        created_at: account.createdAt.toISOString(),
      },
      session: { ...summaryOf(session, session), fresh_until: sessions.freshUntil(session).toISOString() },
    });
  });

  router.delete('/api/session', async (request, response) => {
    await sessions.signOut(sessionFor(request), requestFactsOf(request));
    cookies.clear(response, cookies.names.session);
    response.set('clear-site-data', '"cache", "cookies", "storage"').status(204).end();
  });

  router.get('/api/sessions', async (request, response) => {
    const current = sessionFor(request);
    const all = await sessions.list(current.userId);
    response.json(all.map((session) => summaryOf(session, current)));
  });

  router.delete('/api/sessions', async (request, response) => {
    const revoked = await sessions.revokeOthers(sessionFor(request), requestFactsOf(request));
    response.json({ revoked });
  });

  router.delete('/api/sessions/:id', async (request, response) => {
    const current = sessionFor(request);
    const id = uuidParameter(request, 'id');
    await sessions.revoke(current, id, requestFactsOf(request));
    if (id === current.id) cookies.clear(response, cookies.names.session);
    response.status(204).end();
  });

  return router;
}

function summaryOf(session: Session, current: Session): SessionSummary {
  return {
    id: session.id,
    current: session.id === current.id,
    ip: session.ip,
    user_agent: session.userAgent,
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    authenticated_at: session.authenticatedAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
  };
}
