import { foreignKey, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt, moment, randomId } from '../columns.js';
import { environments } from './environments.js';
import { vaults } from './vaults.js';

export const secrets = pgTable(
  'secrets',
  {
    id: randomId(),
    vaultId: uuid('vault_id')
      .notNull()
      .references(() => vaults.id, { onDelete: 'cascade' }),
    environmentId: uuid('environment_id').notNull(),
    path: text('path').notNull().default('/'),
    key: text('key').notNull(),
    note: text('note'),
    tags: text('tags').array().notNull().default([]),
    currentVersion: integer('current_version').notNull().default(1),
    expiresAt: moment('expires_at'),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    deletedAt: moment('deleted_at'),
  },
  (table) => [
    index('secrets_page').on(table.vaultId, table.environmentId, table.path, table.key, table.id),
    foreignKey({
      columns: [table.vaultId, table.environmentId],
      foreignColumns: [environments.vaultId, environments.id],
    }).onDelete('cascade'),
  ],
);
