import { AuthenticationError, AuthorizationError } from '@hearth/auth-middleware/auth-errors';
import type { Request } from 'express';
import { realm } from '../../access/require-scopes.js';
import { VaultError } from '../../errors/vault-error.js';
import type { Access } from './operation.js';

/** Refuses whoever may not call this. */
export function checkAccess(access: Access, request: Request, isFresh: (request: Request) => boolean): void {
  if (access.kind === 'public') return;
  const { principal, browserSession } = request;
  if (principal === undefined) {
    throw new AuthenticationError('missing', realm, 'This needs a token or a session.');
  }
  switch (access.kind) {
    case 'anyone':
      return;
    case 'token':
      if (browserSession !== undefined) {
        throw new VaultError('forbidden', 'This is about the token of a request; a session has none.');
      }
      return;
    case 'session':
      if (browserSession === undefined) {
        throw new VaultError('forbidden', 'This can be done in the console only, not with a token.');
      }
      if (access.fresh) requireFresh(request, isFresh);
      return;
    case 'scopes':
      if (browserSession !== undefined) {
        if (access.fresh === true) requireFresh(request, isFresh);
        return;
      }
      if (!access.scopes.every((scope) => principal.scopes.has(scope))) {
        throw new AuthorizationError(access.scopes, realm);
      }
      return;
    default:
      access satisfies never;
  }
}

function requireFresh(request: Request, isFresh: (request: Request) => boolean): void {
  if (!isFresh(request)) throw new VaultError('reauthentication_required', 'Sign in again to do this.');
}
