import { vaultLimits } from '@hearth/protocol-types/vault/limits';
import { type Caller, mayUseVault } from '../access/caller.js';
import { requireEveryEnvironment, requireWholeAccount } from '../access/require-unlimited.js';
import { eventBy } from '../audit/audit-event.js';
import type { AuditService } from '../audit/audit-service.js';
import type { RunInTransaction, Transaction } from '../db/transaction.js';
import type { EnvironmentService } from '../environments/environment-service.js';
import { VaultError } from '../errors/vault-error.js';
import type { KeyService } from '../keys/key-service.js';
import { requireRevision } from './require-revision.js';
import {
  firstEnvironments,
  type ListedVault,
  type Vault,
  type VaultChange,
  type VaultPosition,
} from './vault.js';
import type { VaultRepository } from './vault-repository.js';

export interface VaultService {
  list(caller: Caller, after: VaultPosition | undefined, limit: number): Promise<ListedVault[]>;
  /** A vault that this caller may know of; anything else does not exist for it. */
  find(caller: Caller, id: string, transaction?: Transaction): Promise<Vault>;
  create(caller: Caller, name: string): Promise<Vault>;
  /** The vault that comes with an account, in the transaction that makes the account. */
  createPersonal(transaction: Transaction, ownerId: string): Promise<Vault>;
  update(caller: Caller, id: string, change: VaultChange, ifRevision: number | undefined): Promise<Vault>;
  /** Into the trash; after thirty days its keys are destroyed. */
  remove(caller: Caller, id: string, ifRevision: number | undefined): Promise<void>;
  /** Destroys the keys and rows of vaults deleted before this moment; returns how many. */
  purge(before: Date): Promise<number>;
  /** Says that something inside has changed; with a revision, only if nothing else has changed since that one. */
  touch(transaction: Transaction, id: string, ifRevision?: number): Promise<void>;
}

export interface VaultServiceParts {
  readonly vaults: VaultRepository;
  readonly environments: Pick<EnvironmentService, 'createFirst'>;
  readonly keys: Pick<KeyService, 'createVaultKey' | 'destroyVaultKeys'>;
  readonly audit: Pick<AuditService, 'record'>;
  readonly inTransaction: RunInTransaction;
}

const purgeBatch = 1000;

export function createVaultService(parts: VaultServiceParts): VaultService {
  const { vaults, environments, keys, audit, inTransaction } = parts;

  async function make(transaction: Transaction, ownerId: string, name: string, isPersonal: boolean) {
    const vault = await vaults.insert(transaction, { ownerId, name, isPersonal });
    await keys.createVaultKey(transaction, vault.id);
    await environments.createFirst(transaction, vault.id, firstEnvironments);
    return vault;
  }

  async function findForUpdate(
    transaction: Transaction,
    caller: Caller,
    id: string,
    ifRevision: number | undefined,
  ): Promise<Vault> {
    requireEveryEnvironment(caller);
    const vault = mayUseVault(caller, id)
      ? await vaults.findForUpdate(transaction, caller.userId, id)
      : undefined;
    if (vault === undefined) throw new VaultError('not_found');
    if (ifRevision !== undefined) requireRevision(ifRevision, vault.revision);
    return vault;
  }

  return {
    list: (caller, after, limit) => vaults.list(caller.userId, { only: caller.vaultIds, after, limit }),

    async find(caller, id, transaction) {
      const vault = mayUseVault(caller, id) ? await vaults.find(caller.userId, id, transaction) : undefined;
      if (vault === undefined) throw new VaultError('not_found');
      return vault;
    },

    async create(caller, name) {
      requireWholeAccount(caller, 'make a vault');
      return inTransaction(async (transaction) => {
        if ((await vaults.countAndHold(transaction, caller.userId)) >= vaultLimits.vaultsPerUser) {
          throw new VaultError(
            'limit_reached',
            `An account holds at most ${vaultLimits.vaultsPerUser} vaults.`,
          );
        }
        const vault = await make(transaction, caller.userId, name, false);
        await audit.record(transaction, eventBy(caller, 'vault.create', about(vault)));
        return vault;
      });
    },

    createPersonal: (transaction, ownerId) => make(transaction, ownerId, 'Personal', true),

    update: (caller, id, { name, requiresPreconditions }, ifRevision) =>
      inTransaction(async (transaction) => {
        const before = await findForUpdate(transaction, caller, id, ifRevision);
        const change = {
          ...(name === undefined || name === before.name ? {} : { name }),
          ...(requiresPreconditions === undefined || requiresPreconditions === before.requiresPreconditions
            ? {}
            : { requiresPreconditions }),
        };
        if (Object.keys(change).length === 0) return before;
        const vault = await vaults.update(transaction, id, change);
        const meta = {
          ...('name' in change ? { renamed_from: before.name } : {}),
          ...('requiresPreconditions' in change ? { requires_preconditions: requiresPreconditions } : {}),
        };
        await audit.record(transaction, eventBy(caller, 'vault.update', { ...about(vault), meta }));
        return vault;
      }),

    remove: (caller, id, ifRevision) =>
      inTransaction(async (transaction) => {
        const vault = await findForUpdate(transaction, caller, id, ifRevision);
        if (vault.isPersonal) throw new VaultError('personal_vault_undeletable');
        await vaults.softDelete(transaction, id);
        await audit.record(transaction, eventBy(caller, 'vault.delete', about(vault)));
      }),

    async purge(before) {
      const ids = await vaults.deletedBefore(before, purgeBatch);
      for (const id of ids) {
        await inTransaction(async (transaction) => {
          // Without its keys nothing of it can be opened, not even from an old copy of the rows.
          await keys.destroyVaultKeys(transaction, id);
          await vaults.remove(transaction, id);
        });
      }
      return ids.length;
    },

    async touch(transaction, id, ifRevision) {
      const revision = await vaults.touch(transaction, id);
      if (ifRevision !== undefined) requireRevision(ifRevision, revision - 1);
    },
  };
}

function about(vault: Vault) {
  return { target: { kind: 'vault', id: vault.id, label: vault.name }, vaultId: vault.id };
}
