import type { Caller } from '../access/caller.js';
import { requireScopes } from '../access/require-scopes.js';
import type { AuditService } from '../audit/audit-service.js';
import type { PlainValue } from '../crypto/sealed-value.js';
import type { RunInTransaction, Transaction } from '../db/transaction.js';
import { VaultError } from '../errors/vault-error.js';
import type { KeyService } from '../keys/key-service.js';
import type { VaultService } from '../vaults/vault-service.js';
import type { SealedVersion, Secret } from './secret.js';
import { secretEvent } from './secret-audit.js';
import type { NamedPlace, SecretFinder } from './secret-finder.js';
import type { SecretSealer } from './secret-sealer.js';
import type { SecretWriter, WriteResult } from './secret-writer.js';
import type { VersionRepository } from './version-repository.js';
import type { WriteCondition } from './write-condition.js';

export interface VersionService {
  list(
    caller: Caller,
    named: NamedPlace,
    before: number | undefined,
    limit: number,
  ): Promise<{ secret: Secret; versions: SealedVersion[] }>;
  /** One version with its value; that needs the right to read values, too. */
  read(
    caller: Caller,
    named: NamedPlace,
    version: number,
  ): Promise<{ secret: Secret; sealed: SealedVersion; value: PlainValue }>;
  /** Makes an old value the newest. Whoever does it never sees the value, so it needs no right to read. */
  rollback(
    caller: Caller,
    named: NamedPlace,
    version: number,
    condition: WriteCondition,
  ): Promise<WriteResult>;
  rollbackWithin(
    transaction: Transaction,
    caller: Caller,
    named: NamedPlace,
    version: number,
    condition: WriteCondition,
  ): Promise<WriteResult>;
  /** Wipes an old value for good; the current one can only go with its secret. */
  destroy(caller: Caller, named: NamedPlace, version: number): Promise<void>;
}

export interface VersionServiceParts {
  readonly versions: VersionRepository;
  readonly sealer: SecretSealer;
  readonly writer: SecretWriter;
  readonly finder: SecretFinder;
  readonly vaults: Pick<VaultService, 'touch'>;
  readonly keys: Pick<KeyService, 'sealingKey'>;
  readonly audit: Pick<AuditService, 'record' | 'recordAlone'>;
  readonly inTransaction: RunInTransaction;
}

export function createVersionService(parts: VersionServiceParts): VersionService {
  const { versions, sealer, writer, finder, vaults, keys, audit, inTransaction } = parts;

  async function find(secret: Secret, version: number, transaction?: Transaction): Promise<SealedVersion> {
    const sealed = await versions.find(secret.id, version, transaction);
    if (sealed === undefined) throw new VaultError('not_found', 'The secret has no such version (any more).');
    if (sealed.destroyedAt !== null) throw new VaultError('version_destroyed');
    return sealed;
  }

  const rollbackWithin: VersionService['rollbackWithin'] = async (
    transaction,
    caller,
    named,
    version,
    condition,
  ) => {
    const key = await keys.sealingKey(transaction, named.vaultId, 1);
    const secret = await finder.findToWrite(transaction, caller, named, condition);
    const value = await sealer.open(named.vaultId, await find(secret, version, transaction), transaction);
    return writer.write(transaction, caller, key, {
      place: secret,
      value,
      details: {},
      condition,
      source: 'rollback',
      restoredFrom: version,
    });
  };

  return {
    async list(caller, named, before, limit) {
      const secret = await finder.find(caller, named);
      return { secret, versions: await versions.list(secret.id, before, limit) };
    },

    async read(caller, named, version) {
      requireScopes(caller, ['secrets:read']);
      const secret = await finder.find(caller, named);
      const sealed = await find(secret, version);
      const value = await sealer.open(named.vaultId, sealed);
      await audit.recordAlone(secretEvent(caller, 'secret.read_version', secret, { version }));
      return { secret, sealed, value };
    },

    rollback: (caller, named, version, condition) =>
      inTransaction(async (transaction) => {
        const result = await rollbackWithin(transaction, caller, named, version, condition);
        if (!result.changed) return result;
        await vaults.touch(transaction, named.vaultId);
        const meta = { version: result.secret.version, restored_from: version };
        await audit.record(transaction, secretEvent(caller, 'secret.rollback', result.secret, meta));
        return result;
      }),

    rollbackWithin,

    destroy: (caller, named, version) =>
      inTransaction(async (transaction) => {
        const secret = await finder.findForUpdate(transaction, caller, named);
        await find(secret, version, transaction);
        if (version === secret.version) {
          throw new VaultError('conflict', 'The current version can only be destroyed with its secret.');
        }
        await versions.destroy(transaction, secret.id, version);
        await vaults.touch(transaction, named.vaultId);
        await audit.record(transaction, secretEvent(caller, 'secret.destroy_version', secret, { version }));
      }),
  };
}
