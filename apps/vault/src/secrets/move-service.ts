import type { Caller } from '../access/caller.js';
import type { AuditService } from '../audit/audit-service.js';
import type { RunInTransaction, Transaction } from '../db/transaction.js';
import type { EnvironmentService } from '../environments/environment-service.js';
import { type FieldProblem, VaultError } from '../errors/vault-error.js';
import type { VaultService } from '../vaults/vault-service.js';
import { requireMayLeave } from './require-may-leave.js';
import type { Secret, SpotInVault } from './secret.js';
import { movedFrom, secretEvent } from './secret-audit.js';
import type { SecretRepository } from './secret-repository.js';
import { requireCondition, requireStatedByAll, type WriteCondition } from './write-condition.js';

export interface SecretToMove {
  readonly environment: string;
  readonly path: string;
  readonly key: string;
  readonly condition: WriteCondition;
}

/** What is left out stays as it is for each secret. */
export interface Destination {
  readonly environment?: string | undefined;
  readonly path?: string | undefined;
}

export interface MoveService {
  /** All of them or none, with their versions and history; returns them at their new places, in the same order. */
  move(caller: Caller, vaultId: string, wanted: readonly SecretToMove[], to: Destination): Promise<Secret[]>;
}

export interface MoveServiceParts {
  readonly secrets: Pick<SecretRepository, 'findAllForUpdate' | 'move'>;
  readonly vaults: Pick<VaultService, 'find' | 'touch'>;
  readonly environments: Pick<EnvironmentService, 'find'>;
  readonly audit: Pick<AuditService, 'record'>;
  readonly inTransaction: RunInTransaction;
}

const nameOf = ({ environmentId, path, key }: SpotInVault) => `${environmentId} ${path} ${key}`;

export function createMoveService(parts: MoveServiceParts): MoveService {
  const { secrets, vaults, environments, audit, inTransaction } = parts;

  async function environmentIds(
    transaction: Transaction,
    caller: Caller,
    vaultId: string,
    slugs: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, string>> {
    const ids = new Map<string, string>();
    for (const slug of slugs) ids.set(slug, (await environments.find(caller, vaultId, slug, transaction)).id);
    return ids;
  }

  return {
    async move(caller, vaultId, wanted, to) {
      for (const { environment } of wanted) requireMayLeave(caller, environment, to.environment);
      return inTransaction(async (transaction) => {
        const vault = await vaults.find(caller, vaultId, transaction);
        requireStatedByAll(
          vault,
          wanted.map(({ condition }) => condition),
          '/secrets',
        );
        const slugs = new Set(wanted.map(({ environment }) => environment));
        const ids = await environmentIds(
          transaction,
          caller,
          vaultId,
          to.environment === undefined ? slugs : slugs.add(to.environment),
        );
        const idOf = (slug: string) => ids.get(slug) as string;
        const sources = wanted.map(({ environment, path, key }) => ({
          environmentId: idOf(environment),
          path,
          key,
        }));
        const targets = wanted.map(({ environment, path, key }) => ({
          environmentId: idOf(to.environment ?? environment),
          path: to.path ?? path,
          key,
        }));
        // What is to be moved and what may be in its way is held together, in one order.
        const held = await secrets.findAllForUpdate(transaction, vaultId, [...sources, ...targets]);
        const byName = new Map(held.map((secret) => [nameOf(secret), secret]));
        const found = sources.map((source, index) => foundFor(byName.get(nameOf(source)), wanted, index));
        requireFree(found, targets, byName);
        const leaving = found.filter(
          (secret, index) =>
            nameOf(secret) !== nameOf(targets[index] as SpotInVault) && found.indexOf(secret) === index,
        );
        if (leaving.length > 0) {
          await secrets.move(
            transaction,
            leaving.map(({ id }) => id),
            { environmentId: to.environment && idOf(to.environment), path: to.path },
          );
          await vaults.touch(transaction, vaultId);
        }
        const now = new Map(
          (await secrets.findAllForUpdate(transaction, vaultId, targets)).map((secret) => [
            secret.id,
            secret,
          ]),
        );
        const events = leaving.map((before) => {
          const after = now.get(before.id) as Secret;
          return secretEvent(caller, 'secret.move', after, movedFrom(before, after));
        });
        await audit.record(transaction, ...events);
        return found.map(({ id }) => now.get(id) as Secret);
      });
    },
  };
}

function foundFor(secret: Secret | undefined, wanted: readonly SecretToMove[], index: number): Secret {
  const where = `/secrets/${index}`;
  if (secret === undefined) {
    throw new VaultError('not_found', 'Nothing was moved, because one of the secrets does not exist.', {
      errors: [{ pointer: where, code: 'not_found', detail: 'there is no such secret' }],
    });
  }
  requireCondition(wanted[index]?.condition ?? { kind: 'none' }, secret.version, where);
  return secret;
}

/** Names everything that is in the way at once. */
function requireFree(
  found: readonly Secret[],
  targets: readonly SpotInVault[],
  byName: ReadonlyMap<string, Secret>,
): void {
  const taken = new Map<string, string>();
  const errors = found.flatMap(({ id }, index): FieldProblem[] => {
    const name = nameOf(targets[index] as SpotInVault);
    const there = taken.get(name) ?? byName.get(name)?.id;
    taken.set(name, id);
    if (there === undefined || there === id) return [];
    return [
      { pointer: `/secrets/${index}`, code: 'key_taken', detail: 'its key is taken where it should go' },
    ];
  });
  if (errors.length === 0) return;
  throw new VaultError(
    'key_taken',
    'Nothing was moved, because there are already secrets of the same name where they should go.',
    { errors },
  );
}
