import { AuthenticationError } from '@hearth/auth-middleware/auth-errors';
import type { Principal } from '@hearth/auth-middleware/principal';
import { scopeNames } from '@hearth/protocol-types/vault/scope';
import type { Request } from 'express';
import type { Caller } from '../../access/caller.js';
import { realm } from '../../access/require-scopes.js';
import { tokenFactsOf } from '../../tokens/token-facts.js';
import { requestFactsOf } from '../request-facts.js';

const everyScope: ReadonlySet<string> = new Set(scopeNames);

/** Who is behind a request, from what the security rules found out. */
export function callerOf(request: Request): Caller {
  const { principal } = request;
  if (principal === undefined) {
    throw new AuthenticationError('missing', realm, 'This needs a token or a session.');
  }
  return request.browserSession === undefined
    ? tokenCaller(principal, request)
    : sessionCaller(request.browserSession.userId, request);
}

function sessionCaller(userId: string, request: Request): Caller {
  return {
    userId,
    kind: 'user',
    id: userId,
    label: request.principal?.label ?? 'session',
    scopes: everyScope,
    vaultIds: null,
    environments: null,
    environmentRenames: null,
    request: requestFactsOf(request),
  };
}

function tokenCaller(principal: Principal, request: Request): Caller {
  const facts = tokenFactsOf(principal);
  if (facts === undefined) throw new AuthenticationError('invalid', realm, 'The token is not valid.');
  return {
    userId: facts.userId,
    kind: 'token',
    id: principal.id,
    label: principal.label ?? 'token',
    scopes: principal.scopes,
    vaultIds: facts.vaultIds,
    environments: facts.environments,
    environmentRenames: facts.environmentRenames,
    request: requestFactsOf(request),
  };
}
