import type { Principal } from '@hearth/auth-middleware/principal';
import type { EnvironmentRenames } from '../access/environment-limits.js';

/** What the verifier puts into a principal for the rest of the vault to read. */
export interface TokenFacts {
  readonly kind: 'token';
  readonly userId: string;
  readonly vaultIds: readonly string[] | null;
  readonly environments: readonly string[] | null;
  readonly environmentRenames: EnvironmentRenames | null;
}

export function tokenFactsOf(principal: Principal): TokenFacts | undefined {
  return principal.facts?.['kind'] === 'token' ? (principal.facts as unknown as TokenFacts) : undefined;
}
