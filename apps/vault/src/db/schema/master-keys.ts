import { pgTable, text } from 'drizzle-orm/pg-core';
import { bytea, createdAt, moment } from '../columns.js';

/** Which master keys have wrapped data keys. The keys themselves never come here, only a fingerprint of each. */
export const masterKeys = pgTable('master_keys', {
  id: text('id').primaryKey(),
  fingerprint: bytea('fingerprint').notNull().unique('master_keys_fingerprint_key'),
  state: text('state', { enum: ['active', 'retired'] }).notNull(),
  createdAt: createdAt(),
  retiredAt: moment('retired_at'),
});
