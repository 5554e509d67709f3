import { and, asc, count, eq, inArray, isNull, max } from 'drizzle-orm';
import type { Database } from '../db/client.js';
import { environments } from '../db/schema/environments.js';
import { secrets } from '../db/schema/secrets.js';
import { type Executor, type Transaction, violatedConstraint } from '../db/transaction.js';
import { VaultError } from '../errors/vault-error.js';
import type { CountedEnvironment, Environment } from './environment.js';

export interface EnvironmentRepository {
  list(vaultId: string, only: readonly string[] | null): Promise<CountedEnvironment[]>;
  find(vaultId: string, slug: string, executor?: Executor): Promise<Environment | undefined>;
  count(transaction: Transaction, vaultId: string): Promise<{ count: number; lastPosition: number }>;
  /** Live secrets and those in the trash. */
  countSecrets(transaction: Transaction, id: string): Promise<number>;
  insert(
    transaction: Transaction,
    vaultId: string,
    rows: readonly { slug: string; position: number }[],
  ): Promise<Environment[]>;
  update(
    transaction: Transaction,
    id: string,
    change: { slug?: string | undefined; position?: number | undefined },
  ): Promise<Environment>;
  remove(transaction: Transaction, id: string): Promise<void>;
}

const columns = {
  id: environments.id,
  vaultId: environments.vaultId,
  slug: environments.slug,
  position: environments.position,
};

export function createEnvironmentRepository(db: Database): EnvironmentRepository {
  return {
    list: (vaultId, only) =>
      db
        .select({ ...columns, secretCount: count(secrets.id) })
        .from(environments)
        .leftJoin(secrets, and(eq(secrets.environmentId, environments.id), isNull(secrets.deletedAt)))
        .where(
          and(
            eq(environments.vaultId, vaultId),
            only === null ? undefined : inArray(environments.slug, [...only]),
          ),
        )
        .groupBy(environments.id)
        .orderBy(asc(environments.position), asc(environments.slug)),

    async find(vaultId, slug, executor = db) {
      const rows = await executor
        .select(columns)
        .from(environments)
        .where(and(eq(environments.vaultId, vaultId), eq(environments.slug, slug)));
      return rows[0];
    },

    async count(transaction, vaultId) {
      const rows = await transaction
        .select({ count: count(), lastPosition: max(environments.position) })
        .from(environments)
        .where(eq(environments.vaultId, vaultId));
      return { count: rows[0]?.count ?? 0, lastPosition: rows[0]?.lastPosition ?? -1 };
    },

    async countSecrets(transaction, id) {
      const rows = await transaction
        .select({ count: count() })
        .from(secrets)
        .where(eq(secrets.environmentId, id));
      return rows[0]?.count ?? 0;
    },

    insert: (transaction, vaultId, rows) =>
      orNameTaken(() =>
        transaction
          .insert(environments)
          .values(rows.map((row) => ({ vaultId, ...row })))
          .returning(columns),
      ),

    update: (transaction, id, change) =>
      orNameTaken(
        async () =>
          (
            await transaction
              .update(environments)
              .set({
                ...(change.slug === undefined ? {} : { slug: change.slug }),
                ...(change.position === undefined ? {} : { position: change.position }),
              })
              .where(eq(environments.id, id))
              .returning(columns)
          )[0] as Environment,
      ),

    async remove(transaction, id) {
      await transaction.delete(environments).where(eq(environments.id, id));
    },
  };
}

async function orNameTaken<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error) !== 'environments_vault_id_slug_key') throw error;
    throw new VaultError('name_taken', 'The vault already has an environment of this name.');
  }
}
