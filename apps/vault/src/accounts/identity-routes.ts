import type { IdentityMessage } from '@hearth/protocol-types/vault/identity';
import { Router } from 'express';
import { requestFactsOf } from '../http/request-facts.js';
import { requireFreshSession, requireSession, sessionFor } from '../http/require-session.js';
import { uuidParameter } from '../http/uuid-parameter.js';
import type { SessionService } from '../sessions/session-service.js';
import type { AccountService } from './account-service.js';

export interface IdentityRouteParts {
  readonly accounts: AccountService;
  readonly sessions: SessionService;
}

/** The logins that open the account of the session. */
export function identityRoutes({ accounts, sessions }: IdentityRouteParts): Router {
  const router = Router();
  router.use('/api/identities', requireSession());

  router.get('/api/identities', async (request, response) => {
    const session = sessionFor(request);
    const identities = await accounts.listIdentities(session.userId);
    response.json(
      identities.map(
        (identity): IdentityMessage => ({
          id: identity.id,
          provider: identity.provider,
          username: identity.username ?? null,
          current: identity.id === session.identityId,
          created_at: identity.createdAt.toISOString(),
          last_login_at: identity.lastLoginAt?.toISOString() ?? null,
        }),
      ),
    );
  });

  router.delete('/api/identities/:id', requireFreshSession(sessions), async (request, response) => {
    await accounts.unlink(sessionFor(request), uuidParameter(request, 'id'), requestFactsOf(request));
    response.status(204).end();
  });

  return router;
}
