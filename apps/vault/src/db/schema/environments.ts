import { foreignKey, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { randomId } from '../columns.js';
import { vaults } from './vaults.js';

export const environments = pgTable(
  'environments',
  {
    id: randomId(),
    vaultId: uuid('vault_id')
      .notNull()
      .references(() => vaults.id, { onDelete: 'cascade' }),
    slug: text('slug').notNull(),
    position: integer('position').notNull().default(0),
    parentId: uuid('parent_id'),
  },
  (table) => [
    unique('environments_vault_id_slug_key').on(table.vaultId, table.slug),
    unique('environments_vault_id_id_key').on(table.vaultId, table.id),
    foreignKey({ columns: [table.vaultId, table.parentId], foreignColumns: [table.vaultId, table.id] }),
  ],
);
