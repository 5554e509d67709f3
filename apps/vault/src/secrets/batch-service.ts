import type { Scope } from '@hearth/protocol-types/vault/scope';
import type { Caller } from '../access/caller.js';
import { requireScopes } from '../access/require-scopes.js';
import type { NewAuditEvent } from '../audit/audit-event.js';
import type { AuditService } from '../audit/audit-service.js';
import type { PlainValue } from '../crypto/sealed-value.js';
import type { RunInTransaction, Transaction } from '../db/transaction.js';
import { VaultError } from '../errors/vault-error.js';
import type { KeyService } from '../keys/key-service.js';
import type { VaultKey } from '../keys/vault-key.js';
import type { VaultService } from '../vaults/vault-service.js';
import type { SecretDetails } from './secret.js';
import { secretEvent } from './secret-audit.js';
import type { NamedPlace, SecretFinder } from './secret-finder.js';
import type { SecretRepository } from './secret-repository.js';
import type { SecretWriter } from './secret-writer.js';
import type { VersionService } from './version-service.js';
import { requireStatedByAll, type WriteCondition } from './write-condition.js';

interface Conditional {
  readonly named: NamedPlace;
  readonly condition: WriteCondition;
}

export type BatchStep = Conditional &
  (
    | { readonly op: 'put'; readonly value: PlainValue; readonly details: SecretDetails }
    | { readonly op: 'delete' }
    | { readonly op: 'rollback'; readonly version: number }
  );

export interface StepResult {
  readonly op: BatchStep['op'];
  readonly named: NamedPlace;
  /** The version it has now; null once deleted. */
  readonly version: number | null;
  readonly changed: boolean;
}

export interface BatchService {
  /** All steps in their order, or none of them. */
  run(caller: Caller, vaultId: string, steps: readonly BatchStep[]): Promise<StepResult[]>;
}

export interface BatchServiceParts {
  readonly secrets: SecretRepository;
  readonly writer: SecretWriter;
  readonly finder: SecretFinder;
  readonly versions: Pick<VersionService, 'rollbackWithin'>;
  readonly vaults: Pick<VaultService, 'find' | 'touch'>;
  readonly keys: Pick<KeyService, 'sealingKey'>;
  readonly audit: Pick<AuditService, 'record'>;
  readonly inTransaction: RunInTransaction;
}

const neededScope = {
  put: 'secrets:write',
  delete: 'secrets:delete',
  rollback: 'secrets:rollback',
} as const satisfies Record<BatchStep['op'], Scope>;

export function createBatchService(parts: BatchServiceParts): BatchService {
  const { secrets, writer, finder, versions, vaults, keys, audit, inTransaction } = parts;

  async function runStep(
    transaction: Transaction,
    caller: Caller,
    key: VaultKey,
    step: BatchStep,
  ): Promise<{ result: StepResult; event?: NewAuditEvent }> {
    const { op, named, condition } = step;
    if (op === 'delete') {
      const secret = await finder.findToWrite(transaction, caller, named, condition);
      await secrets.trash(transaction, [secret.id]);
      return {
        result: { op, named, version: null, changed: true },
        event: secretEvent(caller, 'secret.delete', secret),
      };
    }
    const written =
      op === 'put'
        ? await writer.write(transaction, caller, key, {
            place: await finder.place(caller, named, transaction),
            value: step.value,
            details: step.details,
            condition,
            source: 'write',
          })
        : await versions.rollbackWithin(transaction, caller, named, step.version, condition);
    const { secret, changed, touched, created } = written;
    const result: StepResult = { op, named, version: secret.version, changed };
    if (!touched) return { result };
    const action = op === 'rollback' ? 'secret.rollback' : created ? 'secret.create' : 'secret.update';
    return { result, event: secretEvent(caller, action, secret, { version: secret.version }) };
  }

  return {
    async run(caller, vaultId, steps) {
      requireScopes(caller, [...new Set(steps.map(({ op }) => neededScope[op]))]);
      return inTransaction(async (transaction) => {
        requireStatedByAll(
          await vaults.find(caller, vaultId, transaction),
          steps.map(({ condition }) => condition),
          '/operations',
        );
        const key = await keys.sealingKey(transaction, vaultId, steps.length);
        const results: StepResult[] = [];
        const events: NewAuditEvent[] = [];
        for (const [index, step] of steps.entries()) {
          const { result, event } = await naming(index, () => runStep(transaction, caller, key, step));
          results.push(result);
          if (event !== undefined) events.push(event);
        }
        if (events.length > 0) {
          await vaults.touch(transaction, vaultId);
          await audit.record(transaction, ...events);
        }
        return results;
      });
    },
  };
}

/** Says which step failed; the whole batch is undone. */
async function naming<Result>(index: number, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    throw new VaultError(
      'conflict',
      `Nothing was written, because operation ${index} failed: ${error.message}`,
      {
        facts: { ...error.facts, failed_index: index, failed_code: error.code },
      },
    );
  }
}
