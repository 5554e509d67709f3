import { bigint, pgTable, uuid } from 'drizzle-orm/pg-core';
import { bytea, moment } from '../columns.js';

/** Where the chain of an account begins once its oldest events were removed. */
export const auditCheckpoints = pgTable('audit_checkpoints', {
  userId: uuid('user_id').primaryKey(),
  lastId: bigint('last_id', { mode: 'number' }).notNull(),
  hash: bytea('hash').notNull(),
  removed: bigint('removed', { mode: 'number' }).notNull(),
  at: moment('at').notNull().defaultNow(),
});
