import { and, desc, eq, gt, lt, ne, or, sql } from 'drizzle-orm';
import type { Database } from '../db/client.js';
import { sessions } from '../db/schema/sessions.js';
import { users } from '../db/schema/users.js';
import type { Executor } from '../db/transaction.js';
import type { Session } from './session.js';

export interface NewSession {
  readonly sidHash: Buffer;
  readonly userId: string;
  readonly identityId: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly idleMs: number;
  readonly absoluteMs: number;
}

/** All times are the database's: several vaults may run, and their clocks differ. */
const after = (milliseconds: number) => sql`now() + ${milliseconds} * interval '1 millisecond'`;
const isLive = () => and(gt(sessions.idleExpiresAt, sql`now()`), gt(sessions.absoluteExpiresAt, sql`now()`));

export function createSessionRepository(db: Database) {
  return {
    async insert(session: NewSession, executor: Executor = db): Promise<string> {
      const [row] = await executor
        .insert(sessions)
        .values({
          sidHash: session.sidHash,
          userId: session.userId,
          identityId: session.identityId,
          ip: session.ip,
          userAgent: session.userAgent,
          idleExpiresAt: after(session.idleMs),
          absoluteExpiresAt: after(session.absoluteMs),
        })
        .returning({ id: sessions.id });
      return (row as { id: string }).id;
    },

    /** The session behind a cookie, unless it has expired or its account is disabled. */
    async findLive(sidHash: Buffer): Promise<Session | undefined> {
      const [row] = await db
        .select({ session: sessions, displayName: users.displayName })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(and(eq(sessions.sidHash, sidHash), isLive(), sql`${users.disabledAt} is null`));
      return row && toSession(row.session, row.displayName);
    },

    /** Moves the idle expiry on, at most once a minute, so that reading pages does not mean writing rows. */
    async touch(id: string, idleMs: number): Promise<void> {
      await db
        .update(sessions)
        .set({ lastSeenAt: sql`now()`, idleExpiresAt: after(idleMs) })
        .where(and(eq(sessions.id, id), lt(sessions.lastSeenAt, sql`now() - interval '1 minute'`)));
    },

    async listLive(userId: string): Promise<Session[]> {
      const rows = await db
        .select({ session: sessions, displayName: users.displayName })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(and(eq(sessions.userId, userId), isLive()))
        .orderBy(desc(sessions.lastSeenAt), sessions.id);
      return rows.map(({ session, displayName }) => toSession(session, displayName));
    },

    async delete(userId: string, id: string, executor: Executor = db): Promise<boolean> {
      const rows = await executor
        .delete(sessions)
        .where(and(eq(sessions.userId, userId), eq(sessions.id, id)))
        .returning({ id: sessions.id });
      return rows.length > 0;
    },

    async deleteOthers(userId: string, keptId: string, executor: Executor = db): Promise<number> {
      const rows = await executor
        .delete(sessions)
        .where(and(eq(sessions.userId, userId), ne(sessions.id, keptId)))
        .returning({ id: sessions.id });
      return rows.length;
    },

    async deleteOpenedWith(identityId: string, keptId: string, executor: Executor): Promise<void> {
      await executor
        .delete(sessions)
        .where(and(eq(sessions.identityId, identityId), ne(sessions.id, keptId)));
    },

    async deleteExpired(): Promise<number> {
      const rows = await db
        .delete(sessions)
        .where(or(lt(sessions.idleExpiresAt, sql`now()`), lt(sessions.absoluteExpiresAt, sql`now()`)))
        .returning({ id: sessions.id });
      return rows.length;
    },
  };
}

export type SessionRepository = ReturnType<typeof createSessionRepository>;

type SessionRow = typeof sessions.$inferSelect;

function toSession(row: SessionRow, displayName: string): Session {
  const { idleExpiresAt, absoluteExpiresAt } = row;
  return {
    id: row.id,
    userId: row.userId,
    displayName,
    identityId: row.identityId ?? undefined,
    ip: row.ip,
    userAgent: row.userAgent,
    createdAt: row.createdAt,
    lastSeenAt: row.lastSeenAt,
    authenticatedAt: row.authenticatedAt,
    expiresAt: new Date(Math.min(idleExpiresAt.getTime(), absoluteExpiresAt.getTime())),
  };
}
