import { bigint, boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt, moment, randomId } from '../columns.js';
import { users } from './users.js';

export const vaults = pgTable('vaults', {
  id: randomId(),
  ownerId: uuid('owner_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  name: text('name').notNull(),
  isPersonal: boolean('is_personal').notNull().default(false),
  isEncrypted: boolean('is_encrypted').notNull().default(true),
  /** Whether a change of a secret must say what it replaces. */
  requiresPreconditions: boolean('requires_preconditions').notNull().default(false),
  createdAt: createdAt(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  deletedAt: moment('deleted_at'),
  /** Grows with every change inside the vault: what cheap polling compares. */
  revision: bigint('revision', { mode: 'number' }).notNull().default(1),
});
