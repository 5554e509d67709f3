import { and, eq, lt, sql } from 'drizzle-orm';
import type { Database } from '../db/client.js';
import { idempotencyKeys } from '../db/schema/idempotency-keys.js';

export interface IdempotencyRecord {
  readonly fingerprint: Buffer;
  /** Null while the first request is still running. */
  readonly status: number | null;
  readonly response: Buffer | null;
}

export interface IdempotencyRepository {
  /** True for whoever came first with this key; an expired or abandoned record does not count. */
  claim(
    principal: string,
    key: string,
    fingerprint: Buffer,
    expiresAt: Date,
    abandonedBefore: Date,
  ): Promise<boolean>;
  find(principal: string, key: string): Promise<IdempotencyRecord | undefined>;
  complete(principal: string, key: string, status: number, response: Buffer): Promise<void>;
  release(principal: string, key: string): Promise<void>;
  removeExpired(): Promise<void>;
}

export function createIdempotencyRepository(db: Database): IdempotencyRepository {
  const at = (principal: string, key: string) =>
    and(eq(idempotencyKeys.principal, principal), eq(idempotencyKeys.key, key));
  return {
    async claim(principal, key, fingerprint, expiresAt, abandonedBefore) {
      const rows = await db
        .insert(idempotencyKeys)
        .values({ principal, key, fingerprint, expiresAt })
        .onConflictDoUpdate({
          target: [idempotencyKeys.principal, idempotencyKeys.key],
          set: { fingerprint, expiresAt, status: null, responseEnc: null, createdAt: sql`now()` },
          setWhere: sql`${idempotencyKeys.expiresAt} < now()
            or (${idempotencyKeys.status} is null and ${idempotencyKeys.createdAt} < ${abandonedBefore.toISOString()}::timestamptz)`,
        })
        .returning({ key: idempotencyKeys.key });
      return rows.length === 1;
    },

    async find(principal, key) {
      const rows = await db
        .select({
          fingerprint: idempotencyKeys.fingerprint,
          status: idempotencyKeys.status,
          response: idempotencyKeys.responseEnc,
        })
        .from(idempotencyKeys)
        .where(at(principal, key));
      return rows[0];
    },

    async complete(principal, key, status, response) {
      await db.update(idempotencyKeys).set({ status, responseEnc: response }).where(at(principal, key));
    },

    async release(principal, key) {
      await db.delete(idempotencyKeys).where(at(principal, key));
    },

    async removeExpired() {
      await db.delete(idempotencyKeys).where(lt(idempotencyKeys.expiresAt, sql`now()`));
    },
  };
}
