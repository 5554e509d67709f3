import { and, asc, desc, eq, isNotNull, lte, ne, sql } from 'drizzle-orm';
import type { Database } from '../db/client.js';
import { secretVersions } from '../db/schema/secret-versions.js';
import { secrets } from '../db/schema/secrets.js';
import type { Executor, Transaction } from '../db/transaction.js';
import type { SealedVersion } from './secret.js';

export type NewVersion = Omit<SealedVersion, 'createdAt' | 'destroyedAt'>;

export interface VersionRepository {
  find(secretId: string, version: number, executor?: Executor): Promise<SealedVersion | undefined>;
  /** Newest first. */
  list(secretId: string, before: number | undefined, limit: number): Promise<SealedVersion[]>;
  /** The same versions as they are now: their keys may have been replaced since they were read. */
  readAgain(sealed: readonly SealedVersion[], executor?: Executor): Promise<SealedVersion[]>;
  /** Values of a vault that are sealed under another key than this one, held until the transaction ends. */
  sealedByOthers(
    transaction: Transaction,
    vaultId: string,
    keyId: string,
    limit: number,
  ): Promise<SealedVersion[]>;
  /** The same value under another key. */
  reseal(
    transaction: Transaction,
    sealed: Pick<SealedVersion, 'secretId' | 'version' | 'vaultKeyId' | 'ciphertext' | 'valueMac'>,
  ): Promise<void>;
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

    async readAgain(sealed, executor = db) {
      const rows = await executor
        .select(versionColumns)
        .from(secretVersions)
        .where(
          sql`(${secretVersions.secretId}, ${secretVersions.version}) in (select * from unnest(${sql.param(sealed.map(({ secretId }) => secretId))}::uuid[], ${sql.param(sealed.map(({ version }) => version))}::int[]))`,
        );
      const found = new Map(rows.map((row) => [`${row.secretId} ${row.version}`, row]));
      return sealed.map((row) => found.get(`${row.secretId} ${row.version}`) ?? row);
    },

    sealedByOthers: (transaction, vaultId, keyId, limit) =>
      transaction
        .select(versionColumns)
        .from(secretVersions)
        .innerJoin(secrets, eq(secrets.id, secretVersions.secretId))
        .where(
          and(
            eq(secrets.vaultId, vaultId),
            ne(secretVersions.vaultKeyId, keyId),
            isNotNull(secretVersions.ciphertext),
          ),
        )
        .orderBy(asc(secretVersions.secretId), asc(secretVersions.version))
        .limit(limit)
        .for('update', { of: secretVersions }),

    async reseal(transaction, { secretId, version, vaultKeyId, ciphertext, valueMac }) {
      await transaction
        .update(secretVersions)
        .set({ vaultKeyId, ciphertext, valueMac })
        .where(of(secretId, version));
    },

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
