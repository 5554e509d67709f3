import type { RequestFacts } from '../access/caller.js';
import type { AuditService } from '../audit/audit-service.js';
import { hashToken, isWellFormedToken } from '../crypto/api-token.js';
import type { RunInTransaction } from '../db/transaction.js';
import { type CleanReport, cleanReport } from './clean-report.js';
import { type LeakReporter, statusOf } from './token.js';
import type { TokenOwner, TokenRepository } from './token-repository.js';

export interface ReportedToken {
  readonly token: string;
  readonly type: string;
  readonly url: string;
  readonly source: string;
}

export interface LeakService {
  /**
   * Revokes every live token that is named, whoever reports it: whoever has found a token could as well use it to
   * revoke itself. Nothing comes back, because a reporter is told nothing.
   */
  report(found: readonly ReportedToken[], by: LeakReporter, request: RequestFacts): Promise<void>;
}

export interface LeakServiceParts {
  readonly tokens: Pick<TokenRepository, 'findOwners' | 'findForUpdate' | 'revoke'>;
  readonly audit: Pick<AuditService, 'record'>;
  readonly inTransaction: RunInTransaction;
  readonly now: () => Date;
}

const reporterLabels = { github: 'GitHub secret scanning', anonymous: 'Leak report' } as const;

export function createLeakService({ tokens, audit, inTransaction, now }: LeakServiceParts): LeakService {
  /** One that is dead already stays as it is, without an event: a stranger must not be able to fill the log. */
  function revoke(owner: TokenOwner, report: CleanReport, by: LeakReporter, request: RequestFacts) {
    return inTransaction(async (transaction) => {
      const token = await tokens.findForUpdate(transaction, owner.userId, owner.id);
      const at = now();
      if (token === undefined || statusOf(token, at) !== 'active') return;
      const leak = { reportedBy: by, url: report.url };
      await tokens.revoke(transaction, token.id, { at, reason: 'leaked', leak });
      await audit.record(transaction, {
        userId: token.userId,
        actor: { kind: 'system', id: null, label: reporterLabels[by] },
        action: 'token.revoke',
        outcome: 'success',
        target: { kind: 'token', id: token.id, label: token.name },
        vaultId: null,
        request,
        meta: { reason: 'leaked', reported_by: by, ...report },
      });
    });
  }

  return {
    async report(found, by, request) {
      const real = new Map(
        found.flatMap((entry) =>
          isWellFormedToken(entry.token) ? [[hashToken(entry.token).toString('base64'), entry] as const] : [],
        ),
      );
      // Those of disabled accounts, too: an account that is enabled again must not bring a leaked token back.
      const owners = await tokens.findOwners([...real.keys()].map((hash) => Buffer.from(hash, 'base64')));
      for (const owner of owners) {
        const entry = real.get(owner.hash.toString('base64')) as ReportedToken;
        await revoke(owner, cleanReport(entry.token, entry), by, request);
      }
    },
  };
}
