import { AuthorizationError } from '@hearth/auth-middleware/auth-errors';
import type { Scope } from '@hearth/protocol-types/vault/scope';
import type { Caller } from './caller.js';

export const realm = 'secrets';

/** For what depends on more than the route: each operation of a batch, values in a list, an import that removes. */
export function requireScopes(caller: Caller, scopes: readonly Scope[]): void {
  if (!scopes.every((scope) => caller.scopes.has(scope))) throw new AuthorizationError(scopes, realm);
}
