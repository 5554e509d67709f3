import type { RunInTransaction, Transaction } from '../db/transaction.js';
import { VaultError } from '../errors/vault-error.js';
import type { AuditEvent, AuditFilters, NewAuditEvent } from './audit-event.js';
import type { AuditRepository } from './audit-repository.js';
import { type ChainVerification, verifyChain } from './verify-chain.js';

export interface AuditService {
  /** In the transaction of the change itself, as its last step: a change without its event cannot be. */
  record(transaction: Transaction, ...events: readonly NewAuditEvent[]): Promise<void>;
  /** In a transaction of its own, for what changes nothing else. Where it cannot be written, nothing is served. */
  recordAlone(...events: readonly NewAuditEvent[]): Promise<void>;
  page(
    userId: string,
    filters: AuditFilters,
    before: number | undefined,
    limit: number,
  ): Promise<AuditEvent[]>;
  /** Every event that fits, newest first, page by page. */
  all(userId: string, filters: AuditFilters): AsyncIterable<AuditEvent>;
  verify(userId: string): Promise<ChainVerification>;
}

export interface AuditServiceParts {
  readonly events: AuditRepository;
  readonly inTransaction: RunInTransaction;
  readonly now: () => Date;
}

const pageSize = 500;

export function createAuditService({ events, inTransaction, now }: AuditServiceParts): AuditService {
  return {
    record: (transaction, ...list) => events.append(transaction, list, now()),

    async recordAlone(...list) {
      try {
        await inTransaction((transaction) => events.append(transaction, list, now()));
      } catch (error) {
        throw new VaultError('audit_unavailable', undefined, { cause: error });
      }
    },

    page: events.page,

    async *all(userId, filters) {
      let before: number | undefined;
      for (;;) {
        const page = await events.page(userId, filters, before, pageSize);
        yield* page;
        before = page.at(-1)?.id;
        if (page.length < pageSize) return;
      }
    },

    verify: (userId) => verifyChain(events, userId),
  };
}
