import { boolean, index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { createdAt, moment, randomId } from '../columns.js';
import { users } from './users.js';

/** One login at one provider. The pair of provider and provider's id is the only key to an account. */
export const identities = pgTable(
  'identities',
  {
    id: randomId(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    provider: text('provider', { enum: ['github', 'google'] }).notNull(),
    providerUserId: text('provider_user_id').notNull(),
    username: text('username'),
    email: text('email'),
    emailVerified: boolean('email_verified').notNull().default(false),
    createdAt: createdAt(),
    lastLoginAt: moment('last_login_at'),
  },
  (table) => [
    unique('identities_provider_provider_user_id_key').on(table.provider, table.providerUserId),
    index('identities_user').on(table.userId),
  ],
);
