import type { Caller } from '../access/caller.js';
import { environmentsIn } from '../access/environment-limits.js';
import { requireScopes } from '../access/require-scopes.js';
import type { AuditService } from '../audit/audit-service.js';
import type { PlainValue } from '../crypto/sealed-value.js';
import type { RunInTransaction } from '../db/transaction.js';
import type { EnvironmentService } from '../environments/environment-service.js';
import { VaultError } from '../errors/vault-error.js';
import type { KeyService } from '../keys/key-service.js';
import type { VaultService } from '../vaults/vault-service.js';
import { requireMayLeave } from './require-may-leave.js';
import type { ListedSecret, Secret, SecretDetails, SecretFilter, SecretPosition } from './secret.js';
import { bulkEvent, movedFrom, secretEvent } from './secret-audit.js';
import type { NamedPlace, SecretFinder } from './secret-finder.js';
import type { SecretRepository } from './secret-repository.js';
import type { SecretSealer } from './secret-sealer.js';
import type { SecretWriter, WriteResult } from './secret-writer.js';
import type { VersionRepository } from './version-repository.js';
import type { WriteCondition } from './write-condition.js';

export interface ListQuery {
  readonly environment: string | undefined;
  readonly below: string | undefined;
  readonly search: string | undefined;
  readonly tag: string | undefined;
  readonly trash: boolean;
  readonly withValues: boolean;
  readonly after: SecretPosition | undefined;
  readonly limit: number;
}

export interface ReadSecret {
  readonly secret: Secret;
  readonly value: PlainValue;
  readonly writtenAt: Date;
}

/** Details, another name, or another place in the same vault. */
export interface SecretChange extends SecretDetails {
  readonly key?: string | undefined;
  readonly environment?: string | undefined;
  readonly path?: string | undefined;
}

export interface SecretService {
  /** The vault's revision: unchanged means that the list is, too. */
  revision(caller: Caller, vaultId: string): Promise<number>;
  list(
    caller: Caller,
    vaultId: string,
    query: ListQuery,
  ): Promise<{ secret: ListedSecret; value?: PlainValue }[]>;
  read(caller: Caller, named: NamedPlace): Promise<ReadSecret>;
  put(
    caller: Caller,
    named: NamedPlace,
    value: PlainValue,
    details: SecretDetails,
    condition: WriteCondition,
  ): Promise<WriteResult>;
  update(caller: Caller, named: NamedPlace, change: SecretChange, condition: WriteCondition): Promise<Secret>;
}

export interface SecretServiceParts {
  readonly secrets: SecretRepository;
  readonly versions: VersionRepository;
  readonly sealer: SecretSealer;
  readonly writer: SecretWriter;
  readonly finder: SecretFinder;
  readonly vaults: Pick<VaultService, 'find' | 'touch'>;
  readonly environments: Pick<EnvironmentService, 'find'>;
  readonly keys: Pick<KeyService, 'sealingKey'>;
  readonly audit: Pick<AuditService, 'record' | 'recordAlone'>;
  readonly inTransaction: RunInTransaction;
}

export function createSecretService(parts: SecretServiceParts): SecretService {
  const { secrets, versions, sealer, writer, finder, vaults, environments, keys, audit, inTransaction } =
    parts;

  async function filterFor(caller: Caller, vaultId: string, query: ListQuery): Promise<SecretFilter> {
    await vaults.find(caller, vaultId);
    if (query.environment !== undefined) await environments.find(caller, vaultId, query.environment);
    return {
      vaultId,
      environments: query.environment === undefined ? environmentsIn(caller, vaultId) : [query.environment],
      below: query.below,
      search: query.search,
      tag: query.tag,
      trash: query.trash,
    };
  }

  return {
    async revision(caller, vaultId) {
      return (await vaults.find(caller, vaultId)).revision;
    },

    async list(caller, vaultId, query) {
      const filter = await filterFor(caller, vaultId, query);
      if (!query.withValues) {
        return (await secrets.list(filter, query.after, query.limit)).map((secret) => ({ secret }));
      }
      requireScopes(caller, ['secrets:read']);
      const rows = await secrets.listSealed(filter, query.after, query.limit);
      const values = await sealer.openAll(
        vaultId,
        rows.map(({ sealed }) => sealed),
      );
      const names = rows.map(({ key }) => key);
      const meta = query.environment === undefined ? {} : { environment: query.environment };
      if (rows.length > 0) {
        await audit.recordAlone(bulkEvent(caller, 'secret.list_values', vaultId, names, meta));
      }
      return rows.map((secret, index) => ({ secret, value: values[index] as PlainValue }));
    },

    async read(caller, named) {
      const secret = await finder.find(caller, named);
      const sealed = await versions.find(secret.id, secret.version);
      if (sealed === undefined) throw new VaultError('not_found');
      const value = await sealer.open(named.vaultId, sealed);
      await audit.recordAlone(secretEvent(caller, 'secret.read', secret, { version: secret.version }));
      return { secret, value, writtenAt: sealed.createdAt };
    },

    put: (caller, named, value, details, condition) =>
      inTransaction(async (transaction) => {
        const place = await finder.placeToWrite(transaction, caller, named, condition);
        const key = await keys.sealingKey(transaction, named.vaultId, 1);
        const result = await writer.write(transaction, caller, key, {
          place,
          value,
          details,
          condition,
          source: 'write',
        });
        if (!result.touched) return result;
        await vaults.touch(transaction, named.vaultId);
        const action = result.created
          ? 'secret.create'
          : result.changed
            ? 'secret.update'
            : 'secret.update_details';
        const meta = { version: result.secret.version };
        await audit.record(transaction, secretEvent(caller, action, result.secret, meta));
        return result;
      }),

    async update(caller, named, change, condition) {
      requireMayLeave(caller, named.environment, change.environment);
      return inTransaction(async (transaction) => {
        const before = await finder.findToWrite(transaction, caller, named, condition);
        const { key = before.key, path = before.path, environment = before.environment, ...details } = change;
        const target = { vaultId: named.vaultId, environment, path, key };
        const place = await finder.place(caller, target, transaction);
        await secrets.updateDetails(transaction, before.id, { ...details, ...place });
        await vaults.touch(transaction, named.vaultId);
        const after = await finder.find(caller, target, transaction);
        const moved = movedFrom(before, after);
        const renamed = before.key === after.key ? {} : { renamed_from: before.key };
        const action = moved === undefined ? 'secret.update_details' : 'secret.move';
        const meta = { fields: fieldsOf(change), ...renamed, ...moved };
        await audit.record(transaction, secretEvent(caller, action, after, meta));
        return after;
      });
    },
  };
}

function fieldsOf(change: SecretChange): string[] {
  return Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}
