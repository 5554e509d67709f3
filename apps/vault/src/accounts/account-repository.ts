import { and, asc, count, eq, sql } from 'drizzle-orm';
import type { Database } from '../db/client.js';
import { identities } from '../db/schema/identities.js';
import { users } from '../db/schema/users.js';
import type { Executor, Transaction } from '../db/transaction.js';
import type { Account, Identity, ProviderProfile } from './account.js';

export function createAccountRepository(db: Database) {
  return {
    /** Makes all who name the same thing wait for one another until the transaction ends. */
    async lock(transaction: Transaction, name: string): Promise<void> {
      await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
    },

    async find(userId: string, executor: Executor = db): Promise<Account | undefined> {
      const [row] = await executor.select().from(users).where(eq(users.id, userId));
      return row && toAccount(row);
    },

    async count(executor: Executor = db): Promise<number> {
      const [row] = await executor.select({ users: count() }).from(users);
      return row?.users ?? 0;
    },

    async insert(displayName: string, executor: Executor): Promise<Account> {
      const [row] = await executor.insert(users).values({ displayName }).returning();
      return toAccount(row as UserRow);
    },

    async findIdentity(profile: ProviderProfile, executor: Executor): Promise<Identity | undefined> {
      const [row] = await executor
        .select()
        .from(identities)
        .where(
          and(
            eq(identities.provider, profile.provider),
            eq(identities.providerUserId, profile.providerUserId),
          ),
        );
      return row && toIdentity(row);
    },

    async insertIdentity(userId: string, profile: ProviderProfile, executor: Executor): Promise<Identity> {
      const [row] = await executor
        .insert(identities)
        .values({
          userId,
          provider: profile.provider,
          providerUserId: profile.providerUserId,
          username: profile.username ?? null,
          lastLoginAt: sql`now()`,
        })
        .returning();
      return toIdentity(row as IdentityRow);
    },

    async noteLogin(identityId: string, username: string | undefined, executor: Executor): Promise<void> {
      await executor
        .update(identities)
        .set({ lastLoginAt: sql`now()`, username: username ?? null })
        .where(eq(identities.id, identityId));
    },

    async listIdentities(userId: string, executor: Executor = db): Promise<Identity[]> {
      const rows = await executor
        .select()
        .from(identities)
        .where(eq(identities.userId, userId))
        .orderBy(asc(identities.createdAt), asc(identities.id));
      return rows.map(toIdentity);
    },

    async deleteIdentity(identityId: string, executor: Executor): Promise<void> {
      await executor.delete(identities).where(eq(identities.id, identityId));
    },
  };
}

export type AccountRepository = ReturnType<typeof createAccountRepository>;

type UserRow = typeof users.$inferSelect;
type IdentityRow = typeof identities.$inferSelect;

function toAccount(row: UserRow): Account {
  return {
    id: row.id,
    displayName: row.displayName,
    createdAt: row.createdAt,
    disabledAt: row.disabledAt ?? undefined,
  };
}

function toIdentity(row: IdentityRow): Identity {
  return {
    id: row.id,
    userId: row.userId,
    provider: row.provider,
    providerUserId: row.providerUserId,
    username: row.username ?? undefined,
    createdAt: row.createdAt,
    lastLoginAt: row.lastLoginAt ?? undefined,
  };
}
