import type { Principal } from '@hearth/auth-middleware/principal';

/** What the verifier puts into a principal for the rest of the vault to read. */
export interface TokenFacts {
  readonly kind: 'token';
  readonly userId: string;
  readonly vaultIds: readonly string[] | null;
  readonly environments: readonly string[] | null;
}

export function tokenFactsOf(principal: Principal): TokenFacts | undefined {
  return principal.facts?.['kind'] === 'token' ? (principal.facts as unknown as TokenFacts) : undefined;
}
