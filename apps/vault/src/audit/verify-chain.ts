import { auditHash } from '../crypto/audit-hash.js';
import { chainedFacts } from './audit-event.js';
import type { AuditRepository } from './audit-repository.js';

export interface ChainVerification {
  readonly valid: boolean;
  readonly events: number;
  readonly firstBrokenId: number | null;
  readonly head: Buffer | null;
}

const pageSize = 500;

/**
 * Follows the chain of an account from its first event, or from where retention left it, to its end. The beginning that
 * a checkpoint claims must be confirmed by an event inside the chain, which is written when old events are removed.
 */
export async function verifyChain(
  events: Pick<AuditRepository, 'chain' | 'checkpoint'>,
  userId: string,
): Promise<ChainVerification> {
  const checkpoint = await events.checkpoint(userId);
  const found = await follow(events, userId, checkpoint?.hash ?? null);
  if (found.valid) return found;
  // Old events may have been removed while this was reading: then it looks again.
  const now = await events.checkpoint(userId);
  return now?.id === checkpoint?.id ? found : verifyChain(events, userId);
}

async function follow(
  events: Pick<AuditRepository, 'chain'>,
  userId: string,
  beginning: Buffer | null,
): Promise<ChainVerification> {
  let previous = beginning;
  let isConfirmed = beginning === null;
  let firstId: number | null = null;
  let after = 0;
  let count = 0;
  for (;;) {
    const page = await events.chain(userId, after, pageSize);
    for (const event of page) {
      const linked = sameBytes(event.prevHash, previous);
      if (!linked || !event.hash.equals(auditHash(previous, chainedFacts(event)))) {
        return { valid: false, events: count, firstBrokenId: event.id, head: previous };
      }
      if (event.action === 'audit.prune' && event.meta['hash'] === beginning?.toString('hex')) {
        isConfirmed = true;
      }
      firstId ??= event.id;
      previous = event.hash;
      count += 1;
      after = event.id;
    }
    if (page.length < pageSize) break;
  }
  return isConfirmed
    ? { valid: true, events: count, firstBrokenId: null, head: previous }
    : { valid: false, events: 0, firstBrokenId: firstId, head: beginning };
}

function sameBytes(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}
