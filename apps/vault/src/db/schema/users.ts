import { boolean, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, moment, randomId } from '../columns.js';

export const users = pgTable('users', {
  id: randomId(),
  displayName: text('display_name').notNull(),
  email: text('email'),
  emailVerified: boolean('email_verified').notNull().default(false),
  avatarUrl: text('avatar_url'),
  createdAt: createdAt(),
  disabledAt: moment('disabled_at'),
});
