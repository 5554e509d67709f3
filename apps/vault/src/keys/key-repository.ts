import { and, asc, eq, gt, inArray, isNotNull, ne, notExists, sql } from 'drizzle-orm';
import type { Database } from '../db/client.js';
import { keepRestoreOut } from '../db/restore-lock.js';
import { masterKeys } from '../db/schema/master-keys.js';
import { secretVersions } from '../db/schema/secret-versions.js';
import { vaultKeys } from '../db/schema/vault-keys.js';
import type { Executor, Transaction } from '../db/transaction.js';
import type { KnownMasterKey, WrappedVaultKey } from './vault-key.js';

export interface KeyRepository {
  /** Lets one process at a time change which master key is active. False while a backup is being restored. */
  lockMasterKeys(transaction: Transaction): Promise<boolean>;
  /** Lets one process at a time rotate the master key, for as long as the transaction. False where another does. */
  lockRotation(transaction: Transaction): Promise<boolean>;
  masterKeys(executor?: Executor): Promise<KnownMasterKey[]>;
  /** Master keys that data keys are still wrapped by. */
  masterKeysInUse(executor?: Executor): Promise<string[]>;
  activate(transaction: Transaction, key: { id: string; fingerprint: Buffer }): Promise<void>;
  /** Whether this master key is the active one, held so until the transaction ends. */
  holdActive(transaction: Transaction, id: string): Promise<boolean>;
  insertVaultKey(transaction: Transaction, key: WrappedVaultKey): Promise<void>;
  /** The key that seals new values. Counts its uses, and so lets one writer a vault in at a time. */
  takeActive(transaction: Transaction, vaultId: string, uses: number): Promise<WrappedVaultKey | undefined>;
  activeKey(vaultId: string, executor?: Executor): Promise<WrappedVaultKey | undefined>;
  byIds(vaultId: string, ids: readonly string[], executor?: Executor): Promise<WrappedVaultKey[]>;
  /** Keys not wrapped by this master key, locked until the transaction ends. */
  wrappedByOthers(transaction: Transaction, masterKeyId: string, limit: number): Promise<WrappedVaultKey[]>;
  rewrap(transaction: Transaction, id: string, masterKeyId: string, wrapped: Buffer): Promise<void>;
  /** From now on this vault's key only opens; returns it, for its successor. Waits for whoever is sealing with it. */
  retireActive(transaction: Transaction, vaultId: string): Promise<WrappedVaultKey | undefined>;
  /** Wipes the retired keys that no value is sealed under any more; returns how many. */
  destroyUnused(transaction: Transaction, vaultId: string): Promise<number>;
  destroyAll(transaction: Transaction, vaultId: string): Promise<void>;
  /** Every key, page by page in the order of ids. */
  page(after: string | undefined, limit: number, executor?: Executor): Promise<WrappedVaultKey[]>;
}

const columns = {
  id: vaultKeys.id,
  vaultId: vaultKeys.vaultId,
  version: vaultKeys.version,
  masterKeyId: vaultKeys.masterKeyId,
  wrapped: vaultKeys.wrapped,
};

export function createKeyRepository(db: Database): KeyRepository {
  return {
    async lockMasterKeys(transaction) {
      if (!(await keepRestoreOut(transaction))) return false;
      await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended('master-keys', 0))`);
      return true;
    },

    async lockRotation(transaction) {
      // The transaction only holds the lock, while others do the work: it is idle for longer than those may be.
      await transaction.execute(sql`set local idle_in_transaction_session_timeout = 0`);
      const { rows } = await transaction.execute<{ granted: boolean }>(
        sql`select pg_try_advisory_xact_lock(hashtextextended('rotate-master-key', 0)) as granted`,
      );
      return rows[0]?.granted === true;
    },

    masterKeys: (executor = db) =>
      executor
        .select({ id: masterKeys.id, fingerprint: masterKeys.fingerprint, state: masterKeys.state })
        .from(masterKeys),

    async masterKeysInUse(executor = db) {
      const rows = await executor
        .selectDistinct({ id: vaultKeys.masterKeyId })
        .from(vaultKeys)
        .where(ne(vaultKeys.state, 'destroyed'));
      return rows.map(({ id }) => id);
    },

    async activate(transaction, { id, fingerprint }) {
      await transaction
        .update(masterKeys)
        .set({ state: 'retired', retiredAt: new Date() })
        .where(and(eq(masterKeys.state, 'active'), ne(masterKeys.id, id)));
      await transaction
        .insert(masterKeys)
        .values({ id, fingerprint, state: 'active' })
        .onConflictDoUpdate({ target: masterKeys.id, set: { state: 'active', retiredAt: null } });
    },

    async holdActive(transaction, id) {
      const rows = await transaction
        .select({ id: masterKeys.id })
        .from(masterKeys)
        .where(and(eq(masterKeys.id, id), eq(masterKeys.state, 'active')))
        .for('share');
      return rows.length === 1;
    },

    async insertVaultKey(transaction, key) {
      await transaction.insert(vaultKeys).values({ ...key, state: 'active' });
    },

    async takeActive(transaction, vaultId, uses) {
      const rows = await transaction
        .update(vaultKeys)
        .set({ encryptions: sql`${vaultKeys.encryptions} + ${uses}` })
        .where(and(eq(vaultKeys.vaultId, vaultId), eq(vaultKeys.state, 'active')))
        .returning(columns);
      return rows[0];
    },

    async activeKey(vaultId, executor = db) {
      const rows = await executor
        .select(columns)
        .from(vaultKeys)
        .where(and(eq(vaultKeys.vaultId, vaultId), eq(vaultKeys.state, 'active')));
      return rows[0];
    },

    byIds: (vaultId, ids, executor = db) =>
      executor
        .select(columns)
        .from(vaultKeys)
        .where(and(eq(vaultKeys.vaultId, vaultId), inArray(vaultKeys.id, [...ids]))),

    wrappedByOthers: (transaction, masterKeyId, limit) =>
      transaction
        .select(columns)
        .from(vaultKeys)
        .where(and(ne(vaultKeys.masterKeyId, masterKeyId), ne(vaultKeys.state, 'destroyed')))
        .orderBy(asc(vaultKeys.id))
        .limit(limit)
        .for('update'),

    async rewrap(transaction, id, masterKeyId, wrapped) {
      await transaction.update(vaultKeys).set({ masterKeyId, wrapped }).where(eq(vaultKeys.id, id));
    },

    async retireActive(transaction, vaultId) {
      const rows = await transaction
        .update(vaultKeys)
        .set({ state: 'decrypt_only' })
        .where(and(eq(vaultKeys.vaultId, vaultId), eq(vaultKeys.state, 'active')))
        .returning(columns);
      return rows[0];
    },

    async destroyUnused(transaction, vaultId) {
      const values = transaction
        .select({ one: sql`1` })
        .from(secretVersions)
        .where(and(eq(secretVersions.vaultKeyId, vaultKeys.id), isNotNull(secretVersions.ciphertext)));
      const rows = await transaction
        .update(vaultKeys)
        .set({ state: 'destroyed', wrapped: null })
        .where(and(eq(vaultKeys.vaultId, vaultId), eq(vaultKeys.state, 'decrypt_only'), notExists(values)))
        .returning({ id: vaultKeys.id });
      return rows.length;
    },

    async destroyAll(transaction, vaultId) {
      await transaction
        .update(vaultKeys)
        .set({ state: 'destroyed', wrapped: null })
        .where(eq(vaultKeys.vaultId, vaultId));
    },

    page: (after, limit, executor = db) =>
      executor
        .select(columns)
        .from(vaultKeys)
        .where(after === undefined ? undefined : gt(vaultKeys.id, after))
        .orderBy(asc(vaultKeys.id))
        .limit(limit),
  };
}
