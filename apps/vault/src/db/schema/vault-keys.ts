import { bigint, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { bytea, createdAt, randomId } from '../columns.js';
import { masterKeys } from './master-keys.js';
import { vaults } from './vaults.js';

/** Data keys of a vault, each wrapped by a master key. */
export const vaultKeys = pgTable(
  'vault_keys',
  {
    id: randomId(),
    vaultId: uuid('vault_id')
      .notNull()
      .references(() => vaults.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    masterKeyId: text('master_key_id')
      .notNull()
      .references(() => masterKeys.id),
    /** Null once the key is destroyed: what it sealed is then gone for good. */
    wrapped: bytea('wrapped'),
    encryptions: bigint('encryptions', { mode: 'number' }).notNull().default(0),
    state: text('state', { enum: ['active', 'decrypt_only', 'destroyed'] }).notNull(),
    createdAt: createdAt(),
  },
  (table) => [unique('vault_keys_vault_id_version_key').on(table.vaultId, table.version)],
);
