import {
  type AnyPgColumn,
  bigint,
  index,
  inet,
  integer,
  jsonb,
  pgTable,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytea, cidrList, createdAt, moment, randomId } from '../columns.js';
import { users } from './users.js';

/** API tokens: the SHA-256 of each and what it may do. The value itself is shown once and kept nowhere. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: randomId(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    tokenHash: bytea('token_hash').notNull().unique('api_tokens_token_hash_key'),
    lastFour: text('last_four').notNull(),
    scopes: text('scopes').array().notNull(),
    /** The version of the map of implied scopes that holds for this token. */
    implications: integer('implications').notNull().default(1),
    vaultIds: uuid('vault_ids').array(),
    environmentSlugs: text('environment_slugs').array(),
    /** By vault: what a name in the list above stands for there, since environments were renamed. */
    environmentRenames: jsonb('environment_renames').$type<Record<string, Record<string, string | null>>>(),
    ipAllow: cidrList('ip_allow'),
    createdAt: createdAt(),
    expiresAt: moment('expires_at'),
    lastUsedAt: moment('last_used_at'),
    lastUsedIp: inet('last_used_ip'),
    lastUsedUa: text('last_used_ua'),
    useCount: bigint('use_count', { mode: 'number' }).notNull().default(0),
    revokedAt: moment('revoked_at'),
    revokedReason: text('revoked_reason'),
    rotatedTo: uuid('rotated_to').references((): AnyPgColumn => apiTokens.id),
    /** Set where a report of a leak revoked it: who said so, and where it was found. */
    leakReportedBy: text('leak_reported_by').$type<'github' | 'anonymous'>(),
    leakUrl: text('leak_url'),
  },
  (table) => [index('api_tokens_user').on(table.userId, table.createdAt.desc(), table.id)],
);
