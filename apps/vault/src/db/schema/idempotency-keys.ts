import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, createdAt, moment } from '../columns.js';

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    principal: uuid('principal').notNull(),
    key: text('key').notNull(),
    fingerprint: bytea('fingerprint').notNull(),
    /** Null while the first request with this key is still running. */
    status: integer('status'),
    responseEnc: bytea('response_enc'),
    createdAt: createdAt(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.principal, table.key] })],
);
