import { type IdentityMessage, identitySchema } from '@hearth/protocol-types/vault/identity';
import { z } from 'zod';
import { defineOperation, type Operation } from '../http/operations/operation.js';
import { sessionFor } from '../http/session-for.js';
import type { AccountService } from './account-service.js';

const tag = 'Logins';

/** The logins that open the account of the session. Linking another one is a page, not a call: /auth/link/{provider}. */
export function identityRoutes({ accounts }: { accounts: AccountService }): Operation[] {
  return [
    defineOperation({
      id: 'listIdentities',
      method: 'get',
      path: '/api/identities',
      tag,
      summary: 'The logins that open this account',
      access: { kind: 'session', fresh: false },
      replies: { 200: { description: 'Oldest first', schema: z.array(identitySchema) } },
      async handle({ request }) {
        const session = sessionFor(request);
        const identities = await accounts.listIdentities(session.userId);
        const json = identities.map(
          (identity): IdentityMessage => ({
            id: identity.id,
            provider: identity.provider,
            username: identity.username ?? null,
            current: identity.id === session.identityId,
            created_at: identity.createdAt.toISOString(),
            last_login_at: identity.lastLoginAt?.toISOString() ?? null,
          }),
        );
        return { status: 200, json };
      },
    }),
    defineOperation({
      id: 'unlinkIdentity',
      method: 'delete',
      path: '/api/identities/{identity_id}',
      tag,
      summary: 'Remove a login, and end the sessions it opened',
      description: 'The last login of an account cannot be removed (409 last_identity).',
      access: { kind: 'session', fresh: true },
      params: z.object({ identity_id: z.uuid() }),
      replies: { 204: { description: 'It no longer opens this account' } },
      async handle({ request, caller, params }) {
        await accounts.unlink(sessionFor(request), params.identity_id, caller.request);
        return { status: 204 };
      },
    }),
  ];
}
