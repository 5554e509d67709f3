import { index, inet, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, createdAt, moment, randomId } from '../columns.js';
import { users } from './users.js';

/** Browser sessions. Only the SHA-256 of the cookie is kept, so that a reader of the table cannot use one. */
export const sessions = pgTable(
  'sessions',
  {
    id: randomId(),
    sidHash: bytea('sid_hash').notNull().unique('sessions_sid_hash_key'),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    identityId: uuid('identity_id'),
    ip: inet('ip'),
    userAgent: text('user_agent'),
    createdAt: createdAt(),
    lastSeenAt: moment('last_seen_at').notNull().defaultNow(),
    /** When the person last proved who they are; some actions want this to be recent. */
    authenticatedAt: moment('authenticated_at').notNull().defaultNow(),
    idleExpiresAt: moment('idle_expires_at').notNull(),
    absoluteExpiresAt: moment('absolute_expires_at').notNull(),
  },
  (table) => [
    index('sessions_user').on(table.userId),
    index('sessions_idle').on(table.idleExpiresAt),
    index('sessions_absolute').on(table.absoluteExpiresAt),
  ],
);
