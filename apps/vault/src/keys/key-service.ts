import { randomUUID } from 'node:crypto';
import { StartupError } from '@hearth/service-kit/startup-error';
import { makeDataKey, unwrapDataKey, wrapDataKey } from '../crypto/data-key.js';
import type { RunInTransaction, Transaction } from '../db/transaction.js';
import { VaultError } from '../errors/vault-error.js';
import type { KeyRepository } from './key-repository.js';
import type { MasterKeySource } from './load-master-keys.js';
import type { MasterKeyring } from './master-keyring.js';
import type { VaultKey, WrappedVaultKey } from './vault-key.js';

export interface KeyService {
  /**
   * Proves at the start that this process can open what the database holds, or says in one line that it cannot.
   * True where its key has taken the place of another one.
   */
  prepare(): Promise<boolean>;
  /** Fails where the master key of this process is no longer the one in use: what `/readyz` asks. */
  check(): Promise<void>;
  createVaultKey(transaction: Transaction, vaultId: string): Promise<void>;
  /** The key that seals new values of a vault; one writer a vault at a time from here on. */
  sealingKey(transaction: Transaction, vaultId: string, uses: number): Promise<VaultKey>;
  /** Keys by id, for values already sealed. */
  openingKeys(
    vaultId: string,
    ids: readonly string[],
    transaction?: Transaction,
  ): Promise<Map<string, VaultKey>>;
  /** Runs the work while nobody else rotates the master key of this database, or says that somebody does. */
  rotateAlone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Reads the key file again, where there is one. */
  reload(): void;
  /** Wraps every data key anew under the active master key; returns how many. Safe while vaults run. */
  rewrapAll(): Promise<number>;
  /** Gives a vault a new data key; the old one only opens from then on. Returns the version of the new one. */
  replaceVaultKey(transaction: Transaction, vaultId: string): Promise<number>;
  /** Wipes the retired data keys of a vault that nothing is sealed under any more; returns how many. */
  destroyUnusedKeys(transaction: Transaction, vaultId: string): Promise<number>;
  destroyVaultKeys(transaction: Transaction, vaultId: string): Promise<void>;
  /** Ids of the master keys that data keys are wrapped by. */
  masterKeysInUse(transaction: Transaction): Promise<string[]>;
  /** For signing cursors and sealing stored answers. */
  current(): MasterKeyring;
}

export interface KeyServiceParts {
  readonly keys: KeyRepository;
  readonly source: MasterKeySource;
  readonly inTransaction: RunInTransaction;
}

const rewrapBatch = 100;

export function createKeyService({ keys, source, inTransaction }: KeyServiceParts): KeyService {
  let keyring = source.keyring;

  /** A key that is not known may have come with a rotation since this process read its file. */
  function findMaster(id: string) {
    const found = keyring.find(id);
    if (found !== undefined) return found;
    keyring = source.reload();
    return keyring.find(id);
  }

  function open(key: WrappedVaultKey): VaultKey {
    const master = findMaster(key.masterKeyId);
    if (master === undefined || key.wrapped === null) {
      throw new VaultError('internal', undefined, {
        cause: new Error('no key opens the data key of this vault'),
      });
    }
    return { id: key.id, vaultId: key.vaultId, dataKey: unwrapDataKey(master.wrap, key.wrapped, key) };
  }

  async function makeVaultKey(transaction: Transaction, vaultId: string, version: number): Promise<void> {
    if (!(await keys.holdActive(transaction, keyring.active.id))) {
      keyring = source.reload();
      if (!(await keys.holdActive(transaction, keyring.active.id))) {
        throw new VaultError('internal', undefined, {
          cause: new Error('the master key was rotated elsewhere'),
        });
      }
    }
    const place = { vaultId, version, masterKeyId: keyring.active.id };
    const wrapped = wrapDataKey(keyring.active.wrap, makeDataKey(), place);
    await keys.insertVaultKey(transaction, { id: randomUUID(), ...place, wrapped });
  }

  return {
    prepare: () =>
      inTransaction(async (transaction) => {
        if (!(await keys.lockMasterKeys(transaction))) {
          throw new StartupError(
            'a backup is being restored into this database: start again once it has ended',
          );
        }
        const known = await keys.masterKeys(transaction);
        const inUse = known.find(({ state }) => state === 'active');
        // A rotation may have put another key into the file since it was read: the old one must not become active again.
        if (inUse !== undefined && keyring.find(inUse.id) === undefined) keyring = source.reload();
        const { active } = keyring;
        const ours = known.find(({ id }) => id === active.id);
        const trusted = known.length === 0 || ours !== undefined || known.some(({ id }) => keyring.find(id));
        if (!trusted || (ours !== undefined && !ours.fingerprint.equals(active.fingerprint))) {
          throw new StartupError(
            `wrong master key: this database was sealed under ${inUse?.id ?? 'another one'}, and the key given here is ${active.id}`,
          );
        }
        const missing = (await keys.masterKeysInUse(transaction)).filter((id) => !keyring.find(id));
        if (missing.length > 0) {
          throw new StartupError(
            `vaults are still sealed under the master key ${missing.join(', ')}: add it to VAULT_MASTER_KEYS_RETIRED and run hearth-vault rotate-key`,
          );
        }
        if (ours?.state === 'active') return false;
        await keys.activate(transaction, active);
        return known.length > 0;
      }),

    async check() {
      const known = await keys.masterKeys();
      if (!known.some(({ id, state }) => state === 'active' && findMaster(id))) {
        throw new Error('the active master key is not held by this process');
      }
    },

    createVaultKey: (transaction, vaultId) => makeVaultKey(transaction, vaultId, 1),

    async replaceVaultKey(transaction, vaultId) {
      const old = await keys.retireActive(transaction, vaultId);
      if (old === undefined) throw new VaultError('not_found');
      await makeVaultKey(transaction, vaultId, old.version + 1);
      return old.version + 1;
    },

    destroyUnusedKeys: (transaction, vaultId) => keys.destroyUnused(transaction, vaultId),

    async sealingKey(transaction, vaultId, uses) {
      // Twice: the key that the first look waited for may have been replaced in that moment.
      const key =
        (await keys.takeActive(transaction, vaultId, uses)) ??
        (await keys.takeActive(transaction, vaultId, uses));
      if (key === undefined) throw new VaultError('not_found');
      return open(key);
    },

    async openingKeys(vaultId, ids, transaction) {
      const wrapped = await keys.byIds(vaultId, ids, transaction);
      return new Map(wrapped.filter((key) => key.wrapped !== null).map((key) => [key.id, open(key)]));
    },

    rotateAlone: (work) =>
      inTransaction(async (transaction) => {
        if (await keys.lockRotation(transaction)) return work();
        throw new StartupError('another rotate-key is running on this database: wait until it has ended');
      }),

    reload() {
      keyring = source.reload();
    },

    async rewrapAll() {
      const { active } = keyring;
      let rewrapped = 0;
      for (;;) {
        const count = await inTransaction(async (transaction) => {
          const batch = await keys.wrappedByOthers(transaction, active.id, rewrapBatch);
          for (const key of batch) {
            const place = { ...key, masterKeyId: active.id };
            await keys.rewrap(
              transaction,
              key.id,
              active.id,
              wrapDataKey(active.wrap, open(key).dataKey, place),
            );
          }
          return batch.length;
        });
        rewrapped += count;
        if (count === 0) break;
      }
      return rewrapped;
    },

    destroyVaultKeys: (transaction, vaultId) => keys.destroyAll(transaction, vaultId),

    masterKeysInUse: (transaction) => keys.masterKeysInUse(transaction),

    current: () => keyring,
  };
}
