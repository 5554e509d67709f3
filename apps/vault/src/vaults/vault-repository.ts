import { and, asc, count, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Database } from '../db/client.js';
import { gather } from '../db/gather.js';
import { vaults } from '../db/schema/vaults.js';
import { type Executor, type Transaction, violatedConstraint } from '../db/transaction.js';
import { VaultError } from '../errors/vault-error.js';
import type { ListedVault, Vault, VaultChange, VaultPosition } from './vault.js';

export interface VaultRepository {
  find(ownerId: string, id: string, executor?: Executor): Promise<Vault | undefined>;
  /** The same, held against changes until the transaction ends. */
  findForUpdate(transaction: Transaction, ownerId: string, id: string): Promise<Vault | undefined>;
  list(
    ownerId: string,
    options: { only: readonly string[] | null; after: VaultPosition | undefined; limit: number },
  ): Promise<ListedVault[]>;
  /** Counts the owner's vaults and keeps others from adding one until the transaction ends. */
  countAndHold(transaction: Transaction, ownerId: string): Promise<number>;
  insert(
    transaction: Transaction,
    vault: { ownerId: string; name: string; isPersonal: boolean },
  ): Promise<Vault>;
  update(transaction: Transaction, id: string, change: VaultChange): Promise<Vault>;
  /** Says that something inside has changed, and returns the new revision. */
  touch(transaction: Transaction, id: string): Promise<number>;
  softDelete(transaction: Transaction, id: string): Promise<void>;
  deletedBefore(moment: Date, limit: number): Promise<string[]>;
  /** Every vault of everyone, in the trash or not. */
  everyVault(): Promise<{ id: string; ownerId: string; name: string }[]>;
  remove(transaction: Transaction, id: string): Promise<void>;
}

const listColumns = {
  id: vaults.id,
  name: vaults.name,
  isEncrypted: vaults.isEncrypted,
  createdAt: vaults.createdAt,
};

const columns = {
  ...listColumns,
  ownerId: vaults.ownerId,
  isPersonal: vaults.isPersonal,
  requiresPreconditions: vaults.requiresPreconditions,
  revision: vaults.revision,
  updatedAt: vaults.updatedAt,
};

export function createVaultRepository(db: Database): VaultRepository {
  const owned = (ownerId: string, id: string) =>
    and(eq(vaults.id, id), eq(vaults.ownerId, ownerId), isNull(vaults.deletedAt));

  // The one query that every client starts with: built once, planned once a connection, and sent once for all
  // requests that arrive together. An account holds few vaults (vaultLimits), so they are read whole.
  const byOwners = db
    .select({ ...listColumns, ownerId: vaults.ownerId })
    .from(vaults)
    .where(and(sql`${vaults.ownerId} = any(${sql.placeholder('owners')})`, isNull(vaults.deletedAt)))
    .orderBy(asc(vaults.createdAt), asc(vaults.id))
    .prepare('vaults_by_owners');
  const findTogether = gather<ListedVault[]>(async (owners) => {
    const lists = new Map<string, ListedVault[]>(owners.map((owner) => [owner, []]));
    for (const { ownerId, ...vault } of await byOwners.execute({ owners })) lists.get(ownerId)?.push(vault);
    return lists;
  });

  return {
    async find(ownerId, id, executor = db) {
      return (await executor.select(columns).from(vaults).where(owned(ownerId, id)))[0];
    },

    async findForUpdate(transaction, ownerId, id) {
      return (await transaction.select(columns).from(vaults).where(owned(ownerId, id)).for('update'))[0];
    },

    async list(ownerId, { only, after, limit }) {
      if (only === null && after === undefined) {
        return (await findTogether(ownerId))?.slice(0, limit) ?? [];
      }
      return db
        .select(listColumns)
        .from(vaults)
        .where(
          and(
            eq(vaults.ownerId, ownerId),
            isNull(vaults.deletedAt),
            only === null ? undefined : inArray(vaults.id, [...only]),
            after === undefined
              ? undefined
              : sql`(${vaults.createdAt}, ${vaults.id}) > (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`,
          ),
        )
        .orderBy(asc(vaults.createdAt), asc(vaults.id))
        .limit(limit);
    },

    async countAndHold(transaction, ownerId) {
      await transaction.execute(
        sql`select pg_advisory_xact_lock(hashtextextended(${`vaults:${ownerId}`}, 0))`,
      );
      const rows = await transaction
        .select({ count: count() })
        .from(vaults)
        .where(and(eq(vaults.ownerId, ownerId), isNull(vaults.deletedAt)));
      return rows[0]?.count ?? 0;
    },

    insert: (transaction, vault) =>
      orNameTaken(
        async () => (await transaction.insert(vaults).values(vault).returning(columns))[0] as Vault,
      ),

    update: (transaction, id, { name, requiresPreconditions }) =>
      orNameTaken(
        async () =>
          (
            await transaction
              .update(vaults)
              .set({
                ...(name === undefined ? {} : { name }),
                ...(requiresPreconditions === undefined ? {} : { requiresPreconditions }),
                revision: sql`${vaults.revision} + 1`,
                updatedAt: sql`now()`,
              })
              .where(eq(vaults.id, id))
              .returning(columns)
          )[0] as Vault,
      ),

    async touch(transaction, id) {
      const rows = await transaction
        .update(vaults)
        .set({ revision: sql`${vaults.revision} + 1`, updatedAt: sql`now()` })
        .where(eq(vaults.id, id))
        .returning({ revision: vaults.revision });
      return rows[0]?.revision ?? 0;
    },

    async softDelete(transaction, id) {
      await transaction.update(vaults).set({ deletedAt: sql`now()` }).where(eq(vaults.id, id));
    },

    everyVault: () =>
      db
        .select({ id: vaults.id, ownerId: vaults.ownerId, name: vaults.name })
        .from(vaults)
        .orderBy(asc(vaults.createdAt), asc(vaults.id)),

    async deletedBefore(moment, limit) {
      const rows = await db
        .select({ id: vaults.id })
        .from(vaults)
        .where(lt(vaults.deletedAt, moment))
        .limit(limit);
      return rows.map(({ id }) => id);
    },

    async remove(transaction, id) {
      await transaction.delete(vaults).where(eq(vaults.id, id));
    },
  };
}

async function orNameTaken<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error) !== 'vaults_name') throw error;
    throw new VaultError('name_taken', 'You already have a vault of this name.');
  }
}
