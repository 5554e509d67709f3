import type { EnvironmentRenames } from '../access/environment-limits.js';
import { effectiveScopes } from './scopes.js';

/** What a token may do, for how long and from where: all that a request with it needs to know. */
export interface TokenGrant {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** The version of the map of implied scopes that holds for it. */
  readonly implications: number;
  readonly vaultIds: readonly string[] | null;
  readonly environments: readonly string[] | null;
  /** What those names stand for in vaults where environments were renamed since. */
  readonly environmentRenames: EnvironmentRenames | null;
  readonly ipAllow: readonly string[] | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  /** May lie ahead: a rotated token works on until then. */
  readonly revokedAt: Date | null;
}

/** An API token as the database knows it: everything but its value. */
export interface Token extends TokenGrant {
  readonly lastFour: string;
  readonly lastUsedAt: Date | null;
  readonly lastUsedIp: string | null;
  readonly lastUsedUserAgent: string | null;
  readonly useCount: number;
  readonly revokedReason: string | null;
  readonly rotatedTo: string | null;
  readonly leakReportedBy: LeakReporter | null;
  readonly leakUrl: string | null;
}

/** Who said that a token leaked: GitHub, proved by its signature, or somebody. */
export type LeakReporter = 'github' | 'anonymous';

export type TokenStatus = 'active' | 'expired' | 'revoked';

/** What ended a token first is what it is: one that had expired is not made a revoked one afterwards. */
export function statusOf(
  { revokedAt, expiresAt }: Pick<TokenGrant, 'revokedAt' | 'expiresAt'>,
  now: Date,
): TokenStatus {
  const isRevoked = revokedAt !== null && revokedAt <= now;
  const isExpired = expiresAt !== null && expiresAt <= now;
  if (isRevoked && isExpired) return revokedAt < expiresAt ? 'revoked' : 'expired';
  if (isRevoked) return 'revoked';
  return isExpired ? 'expired' : 'active';
}

export function rightsOf(token: Pick<TokenGrant, 'scopes' | 'implications'>): ReadonlySet<string> {
  return new Set(effectiveScopes(token.scopes, token.implications));
}
