import type { Caller } from '../access/caller.js';
import type { AuditService } from '../audit/audit-service.js';
import type { RunInTransaction } from '../db/transaction.js';
import { VaultError } from '../errors/vault-error.js';
import type { VaultService } from '../vaults/vault-service.js';
import type { Secret } from './secret.js';
import { secretEvent } from './secret-audit.js';
import type { NamedPlace, SecretFinder } from './secret-finder.js';
import type { SecretRepository } from './secret-repository.js';
import { requireCondition, type WriteCondition } from './write-condition.js';

export const daysInTrash = 30;

export interface TrashService {
  remove(caller: Caller, named: NamedPlace, condition: WriteCondition): Promise<void>;
  /** Brings back the one that was deleted last. */
  restore(caller: Caller, named: NamedPlace): Promise<Secret>;
  /**
   * Wipes the secret of this name and those of the same name in the trash, with every version. The condition is about
   * the one that is not in the trash.
   */
  destroy(caller: Caller, named: NamedPlace, condition: WriteCondition): Promise<void>;
  /** Wipes what was put into the trash before this moment; returns how many. */
  purge(before: Date): Promise<number>;
}

const purgeBatch = 500;

export interface TrashServiceParts {
  readonly secrets: SecretRepository;
  readonly finder: SecretFinder;
  readonly vaults: Pick<VaultService, 'touch'>;
  readonly audit: Pick<AuditService, 'record'>;
  readonly inTransaction: RunInTransaction;
}

export function createTrashService(parts: TrashServiceParts): TrashService {
  const { secrets, finder, vaults, audit, inTransaction } = parts;
  return {
    remove: (caller, named, condition) =>
      inTransaction(async (transaction) => {
        const secret = await finder.findToWrite(transaction, caller, named, condition);
        await secrets.trash(transaction, [secret.id]);
        await vaults.touch(transaction, named.vaultId);
        await audit.record(transaction, secretEvent(caller, 'secret.delete', secret));
      }),

    restore: (caller, named) =>
      inTransaction(async (transaction) => {
        const place = await finder.place(caller, named, transaction);
        const [latest] = await secrets.findTrashed(transaction, place);
        if (latest === undefined) throw new VaultError('not_found', 'There is no such secret in the trash.');
        await secrets.restore(transaction, latest.id);
        await vaults.touch(transaction, named.vaultId);
        const restored = await finder.find(caller, named, transaction);
        await audit.record(transaction, secretEvent(caller, 'secret.restore', restored));
        return restored;
      }),

    destroy: (caller, named, condition) =>
      inTransaction(async (transaction) => {
        const place = await finder.placeToWrite(transaction, caller, named, condition);
        const live = await secrets.findForUpdate(transaction, place);
        requireCondition(condition, live?.version);
        const all = [
          ...(live === undefined ? [] : [live]),
          ...(await secrets.findTrashed(transaction, place)),
        ];
        const [first] = all;
        if (first === undefined) throw new VaultError('not_found', 'There is no such secret.');
        await secrets.destroy(
          transaction,
          all.map(({ id }) => id),
        );
        await vaults.touch(transaction, named.vaultId);
        const meta = { secrets: all.length, last_version: first.version };
        await audit.record(transaction, secretEvent(caller, 'secret.destroy', first, meta));
      }),

    async purge(before) {
      let purged = 0;
      for (;;) {
        const ids = await secrets.trashedBefore(before, purgeBatch);
        await inTransaction((transaction) => secrets.destroy(transaction, ids));
        purged += ids.length;
        if (ids.length < purgeBatch) return purged;
      }
    },
  };
}
