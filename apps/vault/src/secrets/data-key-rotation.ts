import { randomUUID } from 'node:crypto';
import type { NewAuditEvent } from '../audit/audit-event.js';
import type { AuditService } from '../audit/audit-service.js';
import type { RunInTransaction } from '../db/transaction.js';
import { VaultError } from '../errors/vault-error.js';
import type { KeyService } from '../keys/key-service.js';
import type { VaultRepository } from '../vaults/vault-repository.js';
import type { SecretSealer } from './secret-sealer.js';
import type { VersionRepository } from './version-repository.js';

export interface RotatedDataKeys {
  readonly vaults: number;
  readonly values: number;
  /** How many old keys were wiped. */
  readonly destroyed: number;
}

export interface DataKeyRotation {
  /** A new data key for one vault or for all, every value sealed anew under it, the old keys wiped. */
  rotate(vaultId?: string): Promise<RotatedDataKeys>;
}

export interface DataKeyRotationParts {
  readonly vaults: Pick<VaultRepository, 'everyVault'>;
  readonly keys: Pick<KeyService, 'replaceVaultKey' | 'sealingKey' | 'destroyUnusedKeys'>;
  readonly versions: Pick<VersionRepository, 'sealedByOthers' | 'reseal'>;
  readonly sealer: Pick<SecretSealer, 'openAll' | 'seal'>;
  readonly audit: Pick<AuditService, 'record'>;
  readonly inTransaction: RunInTransaction;
}

const batch = 100;

/**
 * Works while vaults run: each batch holds the vault's key row, as every write does, and lets it go again. What an
 * interrupted run leaves is whole (a value opens under the key that its row names), and the next run finishes it.
 */
export function createDataKeyRotation(parts: DataKeyRotationParts): DataKeyRotation {
  const { vaults, keys, versions, sealer, audit, inTransaction } = parts;

  const resealBatch = (vaultId: string): Promise<number> =>
    inTransaction(async (transaction) => {
      // Counts a whole batch of uses, also where fewer values are left: the count is an upper bound.
      const key = await keys.sealingKey(transaction, vaultId, batch);
      const old = await versions.sealedByOthers(transaction, vaultId, key.id, batch);
      const values = await sealer.openAll(vaultId, old, transaction);
      for (const [index, { secretId, version }] of old.entries()) {
        const value = values[index];
        if (value === undefined) continue;
        await versions.reseal(transaction, sealer.seal(key, secretId, version, value));
        value.bytes.fill(0);
      }
      return old.length;
    });

  async function rotateOne(vault: { id: string; ownerId: string; name: string }): Promise<RotatedDataKeys> {
    await inTransaction(async (transaction) => {
      const version = await keys.replaceVaultKey(transaction, vault.id);
      await audit.record(transaction, rotationEvent(vault, version));
    });
    let values = 0;
    for (;;) {
      const count = await resealBatch(vault.id);
      values += count;
      if (count < batch) break;
    }
    const destroyed = await inTransaction((transaction) => keys.destroyUnusedKeys(transaction, vault.id));
    return { vaults: 1, values, destroyed };
  }

  return {
    async rotate(vaultId) {
      const total = { vaults: 0, values: 0, destroyed: 0 };
      for (const vault of await vaults.everyVault()) {
        if (vaultId !== undefined && vault.id !== vaultId) continue;
        const done = await rotateOne(vault).catch(unlessGone);
        total.vaults += done.vaults;
        total.values += done.values;
        total.destroyed += done.destroyed;
      }
      return total;
    },
  };
}

/** A vault that was removed for good in the meantime has no key to rotate. */
function unlessGone(error: unknown): RotatedDataKeys {
  if (error instanceof VaultError && error.code === 'not_found')
    return { vaults: 0, values: 0, destroyed: 0 };
  throw error;
}

function rotationEvent(vault: { id: string; ownerId: string; name: string }, version: number): NewAuditEvent {
  return {
    userId: vault.ownerId,
    actor: { kind: 'system', id: null, label: 'hearth-vault' },
    action: 'key.rotate_data',
    outcome: 'success',
    target: { kind: 'vault', id: vault.id, label: vault.name },
    vaultId: vault.id,
    request: { requestId: randomUUID(), ip: null, userAgent: null },
    meta: { key_version: version },
  };
}
