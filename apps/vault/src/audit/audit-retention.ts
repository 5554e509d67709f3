import { randomUUID } from 'node:crypto';
import type { RunInTransaction } from '../db/transaction.js';
import type { NewAuditEvent } from './audit-event.js';
import type { AuditRepository } from './audit-repository.js';
import { verifyChain } from './verify-chain.js';

export interface AuditRetention {
  /** Removes events from before this moment; returns how many. */
  removeBefore(moment: Date): Promise<number>;
}

export interface AuditRetentionParts {
  readonly events: AuditRepository;
  readonly inTransaction: RunInTransaction;
  readonly now: () => Date;
  /** How many events go in one transaction. */
  readonly mostAtOnce?: number;
}

const day = 86_400_000;

/**
 * Takes the oldest events off the chain of each account, never one out of its middle, and always leaves the newest. A
 * checkpoint keeps the hash that the rest follows, and an event in the chain confirms it. A chain that does not hold
 * is left as it is: what was done to it must stay to be seen. It waits for a day's worth, so that an account's log
 * is not filled by its own cleaning.
 */
export function createAuditRetention(parts: AuditRetentionParts): AuditRetention {
  const { events, inTransaction, now, mostAtOnce = 10_000 } = parts;

  const removeSome = (userId: string, moment: Date): Promise<number> =>
    inTransaction(async (transaction) => {
      await events.hold(transaction, userId);
      const last = await events.lastBefore(transaction, userId, moment, mostAtOnce);
      if (last === undefined) return 0;
      const removed = await events.removeUpTo(transaction, userId, last);
      await events.append(transaction, [pruneEvent(userId, { ...last, removed })], now());
      return removed;
    });

  return {
    async removeBefore(moment) {
      let total = 0;
      const broken: string[] = [];
      for (const userId of await events.usersWithEventsBefore(new Date(moment.getTime() - day))) {
        if (!(await verifyChain(events, userId)).valid) {
          broken.push(userId);
          continue;
        }
        for (;;) {
          const removed = await removeSome(userId, moment);
          total += removed;
          if (removed < mostAtOnce) break;
        }
      }
      if (broken.length > 0) {
        throw new Error(`the audit logs of ${broken.length} accounts do not verify and were left whole`);
      }
      return total;
    },
  };
}

function pruneEvent(userId: string, about: { id: number; hash: Buffer; removed: number }): NewAuditEvent {
  return {
    userId,
    actor: { kind: 'system', id: null, label: 'hearth-vault' },
    action: 'audit.prune',
    outcome: 'success',
    target: null,
    vaultId: null,
    request: { requestId: randomUUID(), ip: null, userAgent: null },
    meta: { removed: about.removed, last_id: about.id, hash: about.hash.toString('hex') },
  };
}
