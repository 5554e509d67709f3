import { and, count, desc, eq, gt, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import type { EnvironmentLimits, EnvironmentRenames } from '../access/environment-limits.js';
import type { Database } from '../db/client.js';
import { gather } from '../db/gather.js';
import { apiTokens } from '../db/schema/api-tokens.js';
import { users } from '../db/schema/users.js';
import { type Executor, type Transaction, violatedConstraint } from '../db/transaction.js';
import { VaultError } from '../errors/vault-error.js';
import type { LeakReporter, Token, TokenGrant } from './token.js';

export interface NewToken {
  readonly userId: string;
  readonly name: string;
  readonly hash: Buffer;
  readonly lastFour: string;
  readonly scopes: readonly string[];
  readonly implications: number;
  readonly vaultIds: readonly string[] | null;
  readonly environments: readonly string[] | null;
  readonly environmentRenames?: EnvironmentRenames | null | undefined;
  readonly ipAllow: readonly string[] | null;
  readonly expiresAt: Date | null;
}

export interface TokenChange {
  readonly name?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly vaultIds?: readonly string[] | undefined;
  readonly environments?: readonly string[] | undefined;
  readonly ipAllow?: readonly string[] | undefined;
}

export interface TokenLeak {
  readonly reportedBy: LeakReporter;
  readonly url: string | null;
}

export interface TokenUse {
  readonly uses: number;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

export interface TokenOwner {
  readonly id: string;
  readonly userId: string;
}

export interface TokenRepository {
  /** By the hash of its value, unless its account is disabled. */
  findByHash(hash: Buffer): Promise<TokenGrant | undefined>;
  /** All that have one of these hashes, also those of disabled accounts. */
  findOwners(hashes: readonly Buffer[]): Promise<(TokenOwner & { readonly hash: Buffer })[]>;
  find(userId: string, id: string, executor?: Executor): Promise<Token | undefined>;
  findForUpdate(transaction: Transaction, userId: string, id: string): Promise<Token | undefined>;
  list(userId: string, after: { createdAt: Date; id: string } | undefined, limit: number): Promise<Token[]>;
  /**
   * Keeps others from adding or limiting one until the transaction ends. Whoever does that comes here first, so that
   * whoever counts them or goes through them misses none that is only about to appear.
   */
  hold(transaction: Transaction, userId: string): Promise<void>;
  /** Counts the live ones, held against new ones. */
  countAndHold(transaction: Transaction, userId: string): Promise<number>;
  insert(transaction: Transaction, token: NewToken): Promise<Token>;
  update(
    transaction: Transaction,
    token: { id: string; userId: string },
    change: TokenChange,
  ): Promise<Token>;
  /** The live ones that are limited to environments and reach this vault, held until the transaction ends. */
  findLimitedForUpdate(transaction: Transaction, userId: string, vaultId: string): Promise<Token[]>;
  setEnvironmentLimits(transaction: Transaction, id: string, limits: EnvironmentLimits): Promise<void>;
  revoke(
    transaction: Transaction,
    id: string,
    revocation: { at: Date; reason: string; rotatedTo?: string; leak?: TokenLeak },
  ): Promise<void>;
  revokeAll(transaction: Transaction, userId: string, at: Date): Promise<{ id: string; name: string }[]>;
  /** At most once a minute, and only forwards. */
  noteUse(id: string, use: TokenUse): Promise<void>;
}

const grantColumns = {
  id: apiTokens.id,
  userId: apiTokens.userId,
  name: apiTokens.name,
  scopes: apiTokens.scopes,
  implications: apiTokens.implications,
  vaultIds: apiTokens.vaultIds,
  environments: apiTokens.environmentSlugs,
  environmentRenames: apiTokens.environmentRenames,
  ipAllow: apiTokens.ipAllow,
  createdAt: apiTokens.createdAt,
  expiresAt: apiTokens.expiresAt,
  revokedAt: apiTokens.revokedAt,
};

const columns = {
  ...grantColumns,
  lastFour: apiTokens.lastFour,
  lastUsedAt: apiTokens.lastUsedAt,
  lastUsedIp: apiTokens.lastUsedIp,
  lastUsedUserAgent: apiTokens.lastUsedUa,
  useCount: apiTokens.useCount,
  revokedReason: apiTokens.revokedReason,
  rotatedTo: apiTokens.rotatedTo,
  leakReportedBy: apiTokens.leakReportedBy,
  leakUrl: apiTokens.leakUrl,
};

export function createTokenRepository(db: Database): TokenRepository {
  const owned = (userId: string, id: string) => and(eq(apiTokens.userId, userId), eq(apiTokens.id, id));
  const live = () =>
    and(
      or(isNull(apiTokens.revokedAt), gt(apiTokens.revokedAt, sql`now()`)),
      or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, sql`now()`)),
    );

  // Asked by every request with a token: built once, planned once a connection, with no column more than needed, and
  // once for all requests that arrive together. Revocation is read after the request came, as for a query of its own.
  const byHash = db
    .select({ ...grantColumns, hash: apiTokens.tokenHash })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(and(sql`${apiTokens.tokenHash} = any(${sql.placeholder('hashes')})`, isNull(users.disabledAt)))
    .prepare('api_tokens_by_hash');
  const findTogether = gather<TokenGrant>(async (hashes) => {
    const rows = await byHash.execute({ hashes: hashes.map((hash) => Buffer.from(hash, 'base64')) });
    return new Map(rows.map(({ hash, ...grant }) => [hash.toString('base64'), grant]));
  });

  /** An expired token ends for good when another takes its name: it ended at the moment it expired. */
  async function releaseName(transaction: Transaction, userId: string, name: string): Promise<void> {
    await transaction
      .update(apiTokens)
      .set({ revokedAt: sql`${apiTokens.expiresAt}`, revokedReason: 'expired' })
      .where(
        and(
          eq(apiTokens.userId, userId),
          sql`lower(${apiTokens.name}) = lower(${name})`,
          isNull(apiTokens.revokedAt),
          lte(apiTokens.expiresAt, sql`now()`),
        ),
      );
  }

  async function hold(transaction: Transaction, userId: string): Promise<void> {
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`tokens:${userId}`}, 0))`);
  }

  return {
    findByHash: (hash) => findTogether(hash.toString('base64')),

    findOwners: (hashes) =>
      db
        .select({ id: apiTokens.id, userId: apiTokens.userId, hash: apiTokens.tokenHash })
        .from(apiTokens)
        .where(inArray(apiTokens.tokenHash, [...hashes])),

    async find(userId, id, executor = db) {
      return (await executor.select(columns).from(apiTokens).where(owned(userId, id)))[0];
    },

    async findForUpdate(transaction, userId, id) {
      return (await transaction.select(columns).from(apiTokens).where(owned(userId, id)).for('update'))[0];
    },

    list: (userId, after, limit) =>
      db
        .select(columns)
        .from(apiTokens)
        .where(
          and(
            eq(apiTokens.userId, userId),
            after === undefined
              ? undefined
              : sql`(${apiTokens.createdAt}, ${apiTokens.id}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`,
          ),
        )
        .orderBy(desc(apiTokens.createdAt), desc(apiTokens.id))
        .limit(limit),

    hold,

    async countAndHold(transaction, userId) {
      await hold(transaction, userId);
      const rows = await transaction
        .select({ count: count() })
        .from(apiTokens)
        .where(and(eq(apiTokens.userId, userId), live()));
      return rows[0]?.count ?? 0;
    },

    insert: (transaction, { hash, environments, environmentRenames = null, ...token }) =>
      orNameTaken(async () => {
        await releaseName(transaction, token.userId, token.name);
        const rows = await transaction
          .insert(apiTokens)
          .values({
            ...token,
            tokenHash: hash,
            scopes: [...token.scopes],
            vaultIds: copy(token.vaultIds),
            environmentSlugs: copy(environments),
            environmentRenames: copyRenames(environmentRenames),
            ipAllow: copy(token.ipAllow),
          })
          .returning(columns);
        return rows[0] as Token;
      }),

    update: (transaction, { id, userId }, change) =>
      orNameTaken(async () => {
        if (change.name !== undefined) await releaseName(transaction, userId, change.name);
        const rows = await transaction
          .update(apiTokens)
          .set({
            ...(change.name === undefined ? {} : { name: change.name }),
            ...(change.scopes === undefined ? {} : { scopes: [...change.scopes] }),
            ...(change.vaultIds === undefined ? {} : { vaultIds: [...change.vaultIds] }),
            ...(change.environments === undefined ? {} : { environmentSlugs: [...change.environments] }),
            ...(change.ipAllow === undefined ? {} : { ipAllow: [...change.ipAllow] }),
          })
          .where(eq(apiTokens.id, id))
          .returning(columns);
        return rows[0] as Token;
      }),

    async findLimitedForUpdate(transaction, userId, vaultId) {
      await hold(transaction, userId);
      return transaction
        .select(columns)
        .from(apiTokens)
        .where(
          and(
            eq(apiTokens.userId, userId),
            live(),
            isNotNull(apiTokens.environmentSlugs),
            or(isNull(apiTokens.vaultIds), sql`${apiTokens.vaultIds} @> array[${vaultId}]::uuid[]`),
          ),
        )
        .orderBy(apiTokens.id)
        .for('update');
    },

    async setEnvironmentLimits(transaction, id, { environments, environmentRenames }) {
      await transaction
        .update(apiTokens)
        .set({ environmentSlugs: copy(environments), environmentRenames: copyRenames(environmentRenames) })
        .where(eq(apiTokens.id, id));
    },

    async revoke(transaction, id, { at, reason, rotatedTo, leak }) {
      await transaction
        .update(apiTokens)
        .set({
          revokedAt: at,
          revokedReason: reason,
          ...(rotatedTo === undefined ? {} : { rotatedTo }),
          ...(leak === undefined ? {} : { leakReportedBy: leak.reportedBy, leakUrl: leak.url }),
        })
        .where(eq(apiTokens.id, id));
    },

    revokeAll: (transaction, userId, at) =>
      transaction
        .update(apiTokens)
        .set({ revokedAt: at, revokedReason: 'all revoked' })
        .where(and(eq(apiTokens.userId, userId), live()))
        .returning({ id: apiTokens.id, name: apiTokens.name }),

    async noteUse(id, { uses, ip, userAgent }) {
      await db
        .update(apiTokens)
        .set({
          lastUsedAt: sql`now()`,
          lastUsedIp: ip,
          lastUsedUa: userAgent,
          useCount: sql`${apiTokens.useCount} + ${uses}`,
        })
        .where(
          and(
            eq(apiTokens.id, id),
            or(isNull(apiTokens.lastUsedAt), sql`${apiTokens.lastUsedAt} < now() - interval '60 seconds'`),
          ),
        );
    },
  };
}

function copy(list: readonly string[] | null): string[] | null {
  return list === null ? null : [...list];
}

function copyRenames(
  renames: EnvironmentRenames | null,
): Record<string, Record<string, string | null>> | null {
  return renames === null ? null : structuredClone(renames);
}

async function orNameTaken<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error) !== 'api_tokens_name') throw error;
    throw new VaultError('name_taken', 'You already have a live token of this name.');
  }
}
