import { sql } from 'drizzle-orm';
import type { Database } from './client.js';

/** Resolves when the database answers: what `/readyz` asks. */
export async function checkDatabase(db: Database): Promise<void> {
  await db.execute(sql`select 1`);
}
