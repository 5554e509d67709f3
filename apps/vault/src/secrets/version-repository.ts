import { and, desc, eq, lte, sql } from 'drizzle-orm';
import type { Database } from '../db/client.js';
import { secretVersions } from '../db/schema/secret-versions.js';
import type { Executor, Transaction } from '../db/transaction.js';
import type { SealedVersion } from './secret.js';

export type NewVersion = Omit<SealedVersion, 'createdAt' | 'destroyedAt'>;

export interface VersionRepository {
  find(secretId: string, version: number, executor?: Executor): Promise<SealedVersion | undefined>;
  /** Newest first. */
  list(secretId: string, before: number | undefined, limit: number): Promise<SealedVersion[]>;
  insert(transaction: Transaction, rows: readonly NewVersion[]): Promise<void>;
  /** Removes versions up to this one: only so many are kept. */
  removeUpTo(transaction: Transaction, secretId: string, version: number): Promise<void>;
  /** The row stays, its value is gone. */
  destroy(transaction: Transaction, secretId: string, version: number): Promise<void>;
}

export const versionColumns = {
  secretId: secretVersions.secretId,
  version: secretVersions.version,
  vaultKeyId: secretVersions.vaultKeyId,
  ciphertext: secretVersions.ciphertext,
  valueMac: secretVersions.valueMac,
  createdByKind: secretVersions.createdByKind,
  createdById: secretVersions.createdById,
  source: secretVersions.source,
  restoredFrom: secretVersions.restoredFrom,
  createdAt: secretVersions.createdAt,
  destroyedAt: secretVersions.destroyedAt,
};

export function createVersionRepository(db: Database): VersionRepository {
  const of = (secretId: string, version: number) =>
    and(eq(secretVersions.secretId, secretId), eq(secretVersions.version, version));

  return {
    async find(secretId, version, executor = db) {
      return (await executor.select(versionColumns).from(secretVersions).where(of(secretId, version)))[0];
    },

    list: (secretId, before, limit) =>
      db
        .select(versionColumns)
        .from(secretVersions)
        .where(
          and(
            eq(secretVersions.secretId, secretId),
            before === undefined ? undefined : lte(secretVersions.version, before - 1),
          ),
        )
        .orderBy(desc(secretVersions.version))
        .limit(limit),

    async insert(transaction, rows) {
      if (rows.length > 0) await transaction.insert(secretVersions).values([...rows]);
    },

    async removeUpTo(transaction, secretId, version) {
      await transaction
        .delete(secretVersions)
        .where(and(eq(secretVersions.secretId, secretId), lte(secretVersions.version, version)));
    },

    async destroy(transaction, secretId, version) {
      await transaction
        .update(secretVersions)
        .set({ ciphertext: null, valueMac: null, destroyedAt: sql`now()` })
        .where(of(secretId, version));
    },
  };
}
