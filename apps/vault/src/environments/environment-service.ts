import { vaultLimits } from '@hearth/protocol-types/vault/limits';
import { type Caller, mayUseEnvironment } from '../access/caller.js';
import { environmentsIn } from '../access/environment-limits.js';
import { requireScopes } from '../access/require-scopes.js';
import { requireEveryEnvironment } from '../access/require-unlimited.js';
import { eventBy } from '../audit/audit-event.js';
import type { AuditService } from '../audit/audit-service.js';
import type { RunInTransaction, Transaction } from '../db/transaction.js';
import { VaultError } from '../errors/vault-error.js';
import type { EnvironmentLimitService } from '../tokens/environment-limit-service.js';
import type { VaultService } from '../vaults/vault-service.js';
import type { CountedEnvironment, Environment } from './environment.js';
import type { EnvironmentRepository } from './environment-repository.js';

export interface EnvironmentChange {
  readonly slug?: string | undefined;
  readonly position?: number | undefined;
}

export interface EnvironmentService {
  list(caller: Caller, vaultId: string): Promise<CountedEnvironment[]>;
  /** An environment that this caller may know of; anything else does not exist for it. */
  find(caller: Caller, vaultId: string, slug: string, transaction?: Transaction): Promise<Environment>;
  create(
    caller: Caller,
    vaultId: string,
    wanted: { slug: string; position?: number | undefined },
  ): Promise<Environment>;
  createFirst(transaction: Transaction, vaultId: string, slugs: readonly string[]): Promise<void>;
  update(caller: Caller, vaultId: string, slug: string, change: EnvironmentChange): Promise<Environment>;
  remove(caller: Caller, vaultId: string, slug: string, options: { cascade: boolean }): Promise<void>;
}

export interface EnvironmentServiceParts {
  readonly environments: EnvironmentRepository;
  /** Asked for late, because vaults and environments need each other. */
  readonly vaults: () => Pick<VaultService, 'find' | 'touch'>;
  readonly limits: Pick<EnvironmentLimitService, 'follow'>;
  readonly audit: Pick<AuditService, 'record'>;
  readonly inTransaction: RunInTransaction;
}

export function createEnvironmentService(parts: EnvironmentServiceParts): EnvironmentService {
  const { environments, vaults, limits, audit, inTransaction } = parts;

  async function find(caller: Caller, vaultId: string, slug: string, transaction?: Transaction) {
    const found = mayUseEnvironment(caller, vaultId, slug)
      ? await environments.find(vaultId, slug, transaction)
      : undefined;
    if (found === undefined) throw new VaultError('not_found', 'The vault has no such environment.');
    return found;
  }

  return {
    async list(caller, vaultId) {
      await vaults().find(caller, vaultId);
      return environments.list(vaultId, environmentsIn(caller, vaultId));
    },

    find,

    async create(caller, vaultId, { slug, position }) {
      requireEveryEnvironment(caller);
      return inTransaction(async (transaction) => {
        await vaults().find(caller, vaultId, transaction);
        await vaults().touch(transaction, vaultId);
        const { count, lastPosition } = await environments.count(transaction, vaultId);
        if (count >= vaultLimits.environmentsPerVault) {
          throw new VaultError(
            'limit_reached',
            `A vault holds at most ${vaultLimits.environmentsPerVault} environments.`,
          );
        }
        const [made] = await environments.insert(transaction, vaultId, [
          { slug, position: position ?? lastPosition + 1 },
        ]);
        await audit.record(transaction, eventBy(caller, 'environment.create', about(made as Environment)));
        return made as Environment;
      });
    },

    async createFirst(transaction, vaultId, slugs) {
      await environments.insert(
        transaction,
        vaultId,
        slugs.map((slug, position) => ({ slug, position })),
      );
    },

    async update(caller, vaultId, slug, change) {
      requireEveryEnvironment(caller);
      return inTransaction(async (transaction) => {
        await vaults().find(caller, vaultId, transaction);
        const before = await find(caller, vaultId, slug, transaction);
        if (change.slug === undefined && change.position === undefined) return before;
        const after = await environments.update(transaction, before.id, change);
        await vaults().touch(transaction, vaultId);
        const names = { vaultId, from: before.slug, to: after.slug };
        const tokens = before.slug === after.slug ? 0 : await limits.follow(transaction, caller, names);
        const meta = { was: before.slug, ...(tokens > 0 ? { tokens_changed: tokens } : {}) };
        await audit.record(transaction, eventBy(caller, 'environment.update', { ...about(after), meta }));
        return after;
      });
    },

    async remove(caller, vaultId, slug, { cascade }) {
      requireEveryEnvironment(caller);
      await inTransaction(async (transaction) => {
        await vaults().find(caller, vaultId, transaction);
        await vaults().touch(transaction, vaultId);
        const environment = await find(caller, vaultId, slug, transaction);
        const secrets = await environments.countSecrets(transaction, environment.id);
        if (secrets > 0 && !cascade) {
          throw new VaultError(
            'environment_not_empty',
            `The environment still holds ${secrets} secrets, those in the trash included. Add ?cascade=true to destroy them with it.`,
          );
        }
        if (secrets > 0) requireScopes(caller, ['secrets:delete']);
        await environments.remove(transaction, environment.id);
        await audit.record(
          transaction,
          eventBy(caller, 'environment.delete', {
            ...about(environment),
            meta: { secrets_destroyed: secrets },
          }),
        );
      });
    },
  };
}

function about(environment: Environment) {
  return {
    target: { kind: 'environment', id: environment.id, label: environment.slug },
    vaultId: environment.vaultId,
  };
}
