import { randomUUID } from 'node:crypto';
import { vaultLimits } from '@hearth/protocol-types/vault/limits';
import type { Caller } from '../access/caller.js';
import type { PlainValue } from '../crypto/sealed-value.js';
import type { Transaction } from '../db/transaction.js';
import { VaultError } from '../errors/vault-error.js';
import type { VaultKey } from '../keys/vault-key.js';
import type { Secret, SecretDetails, SecretPlace, VersionSource } from './secret.js';
import type { SecretRepository } from './secret-repository.js';
import type { SecretSealer } from './secret-sealer.js';
import type { VersionRepository } from './version-repository.js';
import { requireCondition, type WriteCondition } from './write-condition.js';

export interface ValueWrite {
  readonly place: SecretPlace;
  readonly value: PlainValue;
  readonly details: SecretDetails;
  readonly condition: WriteCondition;
  readonly source: VersionSource;
  readonly restoredFrom?: number;
}

export interface WriteResult {
  readonly secret: Secret;
  readonly created: boolean;
  /** Whether there is a new version. */
  readonly changed: boolean;
  /** Whether anything at all is different now. */
  readonly touched: boolean;
}

/** The one way in which a value gets into a secret: by a put, a batch, an import or a rollback. */
export interface SecretWriter {
  write(transaction: Transaction, caller: Caller, key: VaultKey, write: ValueWrite): Promise<WriteResult>;
  /** Many secrets that are known not to be there yet, in a few statements. */
  createAll(
    transaction: Transaction,
    caller: Caller,
    key: VaultKey,
    writes: readonly ValueWrite[],
  ): Promise<void>;
}

const rowsPerStatement = 500;

export interface SecretWriterParts {
  readonly secrets: SecretRepository;
  readonly versions: VersionRepository;
  readonly sealer: SecretSealer;
}

export function createSecretWriter({ secrets, versions, sealer }: SecretWriterParts): SecretWriter {
  async function requireRoom(transaction: Transaction, vaultId: string, more: number): Promise<void> {
    if ((await secrets.count(transaction, vaultId)) + more > vaultLimits.secretsPerVault) {
      throw new VaultError('limit_reached', `A vault holds at most ${vaultLimits.secretsPerVault} secrets.`);
    }
  }

  const author = (caller: Caller, write: ValueWrite) => ({
    createdByKind: caller.kind,
    createdById: caller.id,
    source: write.source,
    restoredFrom: write.restoredFrom ?? null,
  });

  async function create(transaction: Transaction, caller: Caller, key: VaultKey, write: ValueWrite) {
    await requireRoom(transaction, write.place.vaultId, 1);
    const id = randomUUID();
    const [inserted] = await secrets.insertIfAbsent(transaction, [{ id, ...write.place, ...write.details }]);
    if (inserted === undefined) return undefined;
    await versions.insert(transaction, [
      { ...sealer.seal(key, id, 1, write.value), ...author(caller, write) },
    ]);
    return found(transaction, write.place);
  }

  async function found(transaction: Transaction, place: SecretPlace): Promise<Secret> {
    const secret = await secrets.find(place, transaction);
    if (secret === undefined) throw new VaultError('not_found');
    return secret;
  }

  async function change(
    transaction: Transaction,
    caller: Caller,
    key: VaultKey,
    write: ValueWrite,
    existing: Secret,
  ): Promise<WriteResult> {
    const current = await versions.find(existing.id, existing.version, transaction);
    if (current !== undefined && sealer.isSame(key, current, write.value)) {
      const touched = differs(existing, write.details);
      if (touched) await secrets.updateDetails(transaction, existing.id, write.details);
      const secret = touched ? await found(transaction, write.place) : existing;
      return { secret, created: false, changed: false, touched };
    }
    if (!(await secrets.advance(transaction, existing.id, existing.version, write.details))) {
      requireCondition({ kind: 'versions', versions: [] }, existing.version);
    }
    const version = existing.version + 1;
    const sealed = sealer.seal(key, existing.id, version, write.value);
    await versions.insert(transaction, [{ ...sealed, ...author(caller, write) }]);
    await versions.removeUpTo(transaction, existing.id, version - vaultLimits.versionsKept);
    return { secret: await found(transaction, write.place), created: false, changed: true, touched: true };
  }

  return {
    async write(transaction, caller, key, write) {
      // Twice, because a rename or a restore can put a secret here between the look and the insert.
      for (let attempt = 1; attempt <= 2; attempt += 1) {
        const existing = await secrets.findForUpdate(transaction, write.place);
        requireCondition(write.condition, existing?.version);
        if (existing !== undefined) return change(transaction, caller, key, write, existing);
        const secret = await create(transaction, caller, key, write);
        if (secret !== undefined) return { secret, created: true, changed: true, touched: true };
      }
      throw new VaultError('conflict', 'The secret is being changed by someone else. Try again.');
    },

    async createAll(transaction, caller, key, writes) {
      const [first] = writes;
      if (first !== undefined) await requireRoom(transaction, first.place.vaultId, writes.length);
      for (let start = 0; start < writes.length; start += rowsPerStatement) {
        const part = writes
          .slice(start, start + rowsPerStatement)
          .map((write) => ({ id: randomUUID(), write }));
        const inserted = await secrets.insertIfAbsent(
          transaction,
          part.map(({ id, write }) => ({ id, ...write.place, ...write.details })),
        );
        if (inserted.length < part.length) {
          throw new VaultError('conflict', 'The secrets are being changed by someone else. Try again.');
        }
        await versions.insert(
          transaction,
          part.map(({ id, write }) => ({
            ...sealer.seal(key, id, 1, write.value),
            ...author(caller, write),
          })),
        );
      }
    },
  };
}

function differs(secret: Secret, { note, tags, expiresAt }: SecretDetails): boolean {
  return (
    (note !== undefined && note !== secret.note) ||
    (tags !== undefined && tags.join('\n') !== secret.tags.join('\n')) ||
    (expiresAt !== undefined && expiresAt?.getTime() !== secret.expiresAt?.getTime())
  );
}
