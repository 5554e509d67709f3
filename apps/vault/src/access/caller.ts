import { type EnvironmentRenames, environmentsIn } from './environment-limits.js';

/** The request behind an action: what the audit log keeps of it. */
export interface RequestFacts {
  readonly requestId: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** Who acts: a person in a browser session, or a program with a token. */
export interface Caller {
  /** Whose vaults, tokens and log this is about. */
  readonly userId: string;
  readonly kind: 'user' | 'token';
  /** The user's id or the token's. */
  readonly id: string;
  /** A name for people. Never a token's value. */
  readonly label: string;
  /** With every implied scope written out; a session holds them all. */
  readonly scopes: ReadonlySet<string>;
  /** Only these vaults; null: all of the user's. */
  readonly vaultIds: readonly string[] | null;
  /** Only these environments, by slug; null: all. In one vault: `environmentsIn`. */
  readonly environments: readonly string[] | null;
  readonly environmentRenames: EnvironmentRenames | null;
  readonly request: RequestFacts;
}

export function mayUseVault(caller: Caller, vaultId: string): boolean {
  return caller.vaultIds === null || caller.vaultIds.includes(vaultId);
}

export function mayUseEnvironment(caller: Caller, vaultId: string, slug: string): boolean {
  return environmentsIn(caller, vaultId)?.includes(slug) ?? true;
}
