import type { Principal } from './principal.js';

/** `*` holds every scope. Nothing else is a pattern: what a scope implies is for the verifier to write out. */
export function holdsScope(principal: Principal, scope: string): boolean {
  return principal.scopes.has('*') || principal.scopes.has(scope);
}
