import type { Caller } from '../access/caller.js';
import { requireScopes } from '../access/require-scopes.js';

/** To those who read an environment, a secret that has left it is a deleted one. */
export function requireMayLeave(caller: Caller, environment: string, to: string | undefined): void {
  if (to !== undefined && to !== environment) requireScopes(caller, ['secrets:delete']);
}
