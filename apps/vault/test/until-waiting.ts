import { api } from './given-api.js';

/** Until so many queries wait for locks that others hold. */
export async function untilWaiting(queries: number): Promise<void> {
  for (;;) {
    const { rows } = await api.database.pool.query(
      'select 1 from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0',
    );
    if (rows.length >= queries) return;
    await new Promise(setImmediate);
  }
}
