import { and, asc, count, desc, eq, gt, gte, like, lt, lte, type SQL, sql } from 'drizzle-orm';
import { auditHash } from '../crypto/audit-hash.js';
import type { Database } from '../db/client.js';
import { auditCheckpoints } from '../db/schema/audit-checkpoints.js';
import { auditEvents } from '../db/schema/audit-events.js';
import type { Executor, Transaction } from '../db/transaction.js';
import { type AuditEvent, type AuditFilters, chainedFacts, type NewAuditEvent } from './audit-event.js';

export interface AuditRepository {
  append(transaction: Transaction, events: readonly NewAuditEvent[], at: Date): Promise<void>;
  /** Newest first, from before an id. */
  page(
    userId: string,
    filters: AuditFilters,
    before: number | undefined,
    limit: number,
  ): Promise<AuditEvent[]>;
  /** Oldest first, from after an id: the order of the chain. */
  chain(userId: string, after: number, limit: number, executor?: Executor): Promise<AuditEvent[]>;
  /** Where the chain of an account begins, if old events were removed from it. */
  checkpoint(userId: string): Promise<ChainEnd | undefined>;
  /** Keeps others from adding to the chain of an account until the transaction ends. */
  hold(transaction: Transaction, userId: string): Promise<void>;
  usersWithEventsBefore(moment: Date): Promise<string[]>;
  /** The last event of the part from before a moment, at most so long; the newest event is never in it. */
  lastBefore(
    transaction: Transaction,
    userId: string,
    moment: Date,
    limit: number,
  ): Promise<ChainEnd | undefined>;
  /** Removes the beginning of a chain up to this event and notes where it now begins; returns how many went. */
  removeUpTo(transaction: Transaction, userId: string, last: ChainEnd): Promise<number>;
}

export interface ChainEnd {
  readonly id: number;
  readonly hash: Buffer;
}

export function createAuditRepository(db: Database): AuditRepository {
  return {
    async append(transaction, events, at) {
      for (const event of events) {
        // One writer a user at a time, until the transaction ends: otherwise two events would follow the same one.
        // Postgres writes an address in its own way, and the hash must be made from what will be read back.
        const { rows } = await transaction.execute<{ previous: Buffer | null; ip: string | null }>(sql`
          with turn as materialized (select pg_advisory_xact_lock(hashtextextended(${`audit:${event.userId}`}, 0)))
          select host(${event.request.ip}::inet) as ip from turn`);
        const previous = await transaction
          .select({ hash: auditEvents.hash })
          .from(auditEvents)
          .where(eq(auditEvents.userId, event.userId))
          .orderBy(desc(auditEvents.id))
          .limit(1);
        const prevHash = previous[0]?.hash ?? null;
        const kept = { ...event, at, request: { ...event.request, ip: rows[0]?.ip ?? null } };
        await transaction.insert(auditEvents).values({
          userId: event.userId,
          at,
          actorKind: event.actor.kind,
          actorId: event.actor.id,
          actorLabel: event.actor.label,
          action: event.action,
          outcome: event.outcome,
          targetKind: event.target?.kind ?? null,
          targetId: event.target?.id ?? null,
          targetLabel: event.target?.label ?? null,
          vaultId: event.vaultId,
          ip: kept.request.ip,
          userAgent: event.request.userAgent,
          requestId: event.request.requestId,
          meta: { ...event.meta },
          prevHash,
          hash: auditHash(prevHash, chainedFacts(kept)),
        });
      }
    },

    async page(userId, filters, before, limit) {
      const rows = await db
        .select()
        .from(auditEvents)
        .where(
          and(
            eq(auditEvents.userId, userId),
            ...conditions(filters),
            before === undefined ? undefined : lt(auditEvents.id, before),
          ),
        )
        .orderBy(desc(auditEvents.id))
        .limit(limit);
      return rows.map(toEvent);
    },

    async chain(userId, after, limit, executor = db) {
      const rows = await executor
        .select()
        .from(auditEvents)
        .where(and(eq(auditEvents.userId, userId), gt(auditEvents.id, after)))
        .orderBy(asc(auditEvents.id))
        .limit(limit);
      return rows.map(toEvent);
    },

    async checkpoint(userId) {
      const [row] = await db.select().from(auditCheckpoints).where(eq(auditCheckpoints.userId, userId));
      return row && { id: row.lastId, hash: row.hash };
    },

    async hold(transaction, userId) {
      await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`audit:${userId}`}, 0))`);
    },

    async usersWithEventsBefore(moment) {
      const rows = await db
        .selectDistinct({ userId: auditEvents.userId })
        .from(auditEvents)
        .where(lt(auditEvents.at, moment));
      return rows.map(({ userId }) => userId);
    },

    async lastBefore(transaction, userId, moment, limit) {
      const rows = await transaction
        .select({ id: auditEvents.id, hash: auditEvents.hash, at: auditEvents.at })
        .from(auditEvents)
        .where(eq(auditEvents.userId, userId))
        .orderBy(asc(auditEvents.id))
        .limit(limit + 1);
      const firstKept = rows.findIndex(({ at }) => at >= moment);
      return rows[(firstKept === -1 ? rows.length - 1 : firstKept) - 1];
    },

    async removeUpTo(transaction, userId, last) {
      const upTo = and(eq(auditEvents.userId, userId), lte(auditEvents.id, last.id));
      const removed =
        (await transaction.select({ count: count() }).from(auditEvents).where(upTo))[0]?.count ?? 0;
      // First the checkpoint: the database lets no event go without one.
      await transaction
        .insert(auditCheckpoints)
        .values({ userId, lastId: last.id, hash: last.hash, removed })
        .onConflictDoUpdate({
          target: auditCheckpoints.userId,
          set: {
            lastId: last.id,
            hash: last.hash,
            removed: sql`${auditCheckpoints.removed} + ${removed}`,
            at: sql`now()`,
          },
        });
      await transaction.delete(auditEvents).where(upTo);
      return removed;
    },
  };
}

function conditions(filters: AuditFilters): (SQL | undefined)[] {
  const { action } = filters;
  return [
    action === undefined
      ? undefined
      : action.endsWith('.*')
        ? like(auditEvents.action, `${action.slice(0, -1).replaceAll('_', '\\_')}%`)
        : eq(auditEvents.action, action),
    filters.target && eq(auditEvents.targetId, filters.target),
    filters.vault && eq(auditEvents.vaultId, filters.vault),
    filters.actor && eq(auditEvents.actorId, filters.actor),
    filters.outcome && eq(auditEvents.outcome, filters.outcome),
    filters.from && gte(auditEvents.at, filters.from),
    filters.to && lte(auditEvents.at, filters.to),
  ].map((condition) => condition || undefined);
}

function toEvent(row: typeof auditEvents.$inferSelect): AuditEvent {
  return {
    id: row.id,
    userId: row.userId,
    at: row.at,
    actor: { kind: row.actorKind, id: row.actorId, label: row.actorLabel },
    action: row.action as AuditEvent['action'],
    outcome: row.outcome,
    target:
      row.targetKind === null ? null : { kind: row.targetKind, id: row.targetId, label: row.targetLabel },
    vaultId: row.vaultId,
    request: { requestId: row.requestId, ip: row.ip, userAgent: row.userAgent },
    meta: row.meta,
    prevHash: row.prevHash,
    hash: row.hash,
  };
}
