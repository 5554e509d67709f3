import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, createdAt, moment } from '../columns.js';
import { secrets } from './secrets.js';
import { vaultKeys } from './vault-keys.js';

/** Every value a secret ever had, sealed. A destroyed version keeps its row and loses its ciphertext. */
export const secretVersions = pgTable(
  'secret_versions',
  {
    secretId: uuid('secret_id')
      .notNull()
      .references(() => secrets.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    vaultKeyId: uuid('vault_key_id')
      .notNull()
      .references(() => vaultKeys.id),
    ciphertext: bytea('ciphertext'),
    /** A keyed hash of the value: tells "unchanged" and "used elsewhere" without opening anything. */
    valueMac: bytea('value_mac'),
    createdByKind: text('created_by_kind', { enum: ['user', 'token', 'system'] }).notNull(),
    createdById: uuid('created_by_id'),
    source: text('source', { enum: ['write', 'rollback', 'import', 'rewrap'] })
      .notNull()
      .default('write'),
    restoredFrom: integer('restored_from'),
    createdAt: createdAt(),
    destroyedAt: moment('destroyed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.secretId, table.version] }),
    index('secret_versions_key').on(table.vaultKeyId),
  ],
);
