import type { Caller } from '../access/caller.js';
import { limitsAfterRename } from '../access/environment-limits.js';
import type { AuditService } from '../audit/audit-service.js';
import type { Transaction } from '../db/transaction.js';
import { tokenEvent } from './token-audit.js';
import type { TokenRepository } from './token-repository.js';

export interface RenamedEnvironment {
  readonly vaultId: string;
  readonly from: string;
  readonly to: string;
}

export interface EnvironmentLimitService {
  /**
   * Lets tokens that are limited to environments reach after a rename just what they reached before it, in the
   * transaction that renames. Returns how many had to be changed.
   */
  follow(transaction: Transaction, caller: Caller, renamed: RenamedEnvironment): Promise<number>;
}

export interface EnvironmentLimitServiceParts {
  readonly tokens: Pick<TokenRepository, 'findLimitedForUpdate' | 'setEnvironmentLimits'>;
  readonly audit: Pick<AuditService, 'record'>;
}

export function createEnvironmentLimitService({
  tokens,
  audit,
}: EnvironmentLimitServiceParts): EnvironmentLimitService {
  return {
    async follow(transaction, caller, { vaultId, from, to }) {
      let changed = 0;
      for (const token of await tokens.findLimitedForUpdate(transaction, caller.userId, vaultId)) {
        const limits = limitsAfterRename(token, vaultId, { from, to });
        if (limits === undefined) continue;
        await tokens.setEnvironmentLimits(transaction, token.id, limits);
        const meta = { fields: ['environments'], renamed_from: from, renamed_to: to };
        await audit.record(transaction, { ...tokenEvent(caller, 'token.update', token, meta), vaultId });
        changed += 1;
      }
      return changed;
    },
  };
}
