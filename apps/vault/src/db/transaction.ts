import type { PgTransactionConfig } from 'drizzle-orm/pg-core';
import type { Database } from './client.js';

export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

/** What a repository's methods take: the transaction in which they must run, or the database for a single statement. */
export type Executor = Database | Transaction;

/** The handle that services hold: they open transactions and pass them on without knowing what is behind them. */
export type RunInTransaction = <Result>(
  work: (transaction: Transaction) => Promise<Result>,
) => Promise<Result>;

const attempts = 4;
/** A serialization failure, a deadlock, and a row that this work had found and somebody has removed since. */
const retryableCodes = new Set(['40001', '40P01', '23503']);

/**
 * Runs work in one transaction. Where Postgres undid everything because somebody else was quicker it is tried again,
 * and finds what there is now; the work must therefore have no effect outside its transaction.
 */
export function createTransactionRunner(db: Database, config?: PgTransactionConfig): RunInTransaction {
  return async (work) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await db.transaction(work, config);
      } catch (error) {
        if (attempt === attempts || !retryableCodes.has(databaseErrorCode(error) ?? '')) throw error;
      }
    }
  };
}

/** The SQLSTATE of a failed query, which Drizzle wraps in an error of its own. */
export function databaseErrorCode(error: unknown): string | undefined {
  return databaseError(error)?.code;
}

/** The name of the constraint or unique index that a failed query ran into. */
export function violatedConstraint(error: unknown): string | undefined {
  return databaseError(error)?.constraint;
}

/** The driver's own error, told apart by the severity that Postgres sends. */
function databaseError(error: unknown): { code: string; constraint?: string } | undefined {
  if (!(error instanceof Error)) return undefined;
  const candidate: { code?: unknown; severity?: unknown } & Error = error;
  if (typeof candidate.code === 'string' && candidate.severity !== undefined) {
    return candidate as Error & { code: string; constraint?: string };
  }
  return databaseError(error.cause);
}
