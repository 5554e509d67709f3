import { sql } from 'drizzle-orm';
import type { Transaction } from './transaction.js';

// A restore must be alone: a vault that records its own master key meanwhile, in tables that still look empty to it,
// would fit nothing that arrives. Neither waits for the other: a restore may take long, and its end changes the answer.
const lock = sql`hashtextextended('restore', 0)`;

/** Until the transaction ends no vault starts on this database. False where one is starting, or another restore runs. */
export async function takeRestoreLock(transaction: Transaction): Promise<boolean> {
  return granted(transaction, sql`pg_try_advisory_xact_lock(${lock})`);
}

/** Until the transaction ends no restore begins. False while one runs. Any number of vaults may hold it at once. */
export async function keepRestoreOut(transaction: Transaction): Promise<boolean> {
  return granted(transaction, sql`pg_try_advisory_xact_lock_shared(${lock})`);
}

async function granted(transaction: Transaction, attempt: ReturnType<typeof sql>): Promise<boolean> {
  const { rows } = await transaction.execute<{ granted: boolean }>(sql`select ${attempt} as granted`);
  return rows[0]?.granted === true;
}
