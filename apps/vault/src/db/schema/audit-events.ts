import { bigint, index, inet, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, moment } from '../columns.js';

/** Who did what, append-only (a trigger refuses changes) and hash-chained per user. Never holds a secret value. */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: uuid('user_id').notNull(),
    at: moment('at').notNull().defaultNow(),
    actorKind: text('actor_kind', { enum: ['user', 'token', 'system'] }).notNull(),
    actorId: uuid('actor_id'),
    actorLabel: text('actor_label'),
    action: text('action').notNull(),
    outcome: text('outcome', { enum: ['success', 'denied', 'error'] }).notNull(),
    targetKind: text('target_kind'),
    targetId: uuid('target_id'),
    targetLabel: text('target_label'),
    vaultId: uuid('vault_id'),
    ip: inet('ip'),
    userAgent: text('user_agent'),
    requestId: uuid('request_id').notNull(),
    meta: jsonb('meta').$type<Record<string, unknown>>().notNull().default({}),
    prevHash: bytea('prev_hash'),
    hash: bytea('hash').notNull(),
  },
  (table) => [
    index('audit_user_page').on(table.userId, table.id.desc()),
    index('audit_target').on(table.targetId, table.id.desc()),
    index('audit_at').using('brin', table.at),
  ],
);
