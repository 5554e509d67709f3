import { sql } from 'drizzle-orm';
import type { Database } from '../db/client.js';
import { takeRestoreLock } from '../db/restore-lock.js';
import type { RunInTransaction, Transaction } from '../db/transaction.js';

export interface BackupRepository {
  /** Runs work in a transaction that sees the database as it was at one moment. */
  atOneMoment: RunInTransaction;
  /** Runs work in a transaction that is not tried again where it fails: what it reads comes only once. */
  inOneTry: RunInTransaction;
  schema(transaction: Transaction): Promise<string>;
  /** Every row of a table as JSON text, a few at a time. */
  rows(transaction: Transaction, table: BackedUpTable): AsyncIterable<string>;
  /** Makes the transaction the only restore, with no vault starting beside it; false where it is not alone. */
  holdAlone(transaction: Transaction): Promise<boolean>;
  /** Tables that hold something. */
  filledTables(transaction: Transaction): Promise<BackedUpTable[]>;
  /** Columns that a row does not name get what they are given in a new row; those the table does not have are left out. */
  insert(transaction: Transaction, table: BackedUpTable, rows: readonly string[]): Promise<void>;
  /** What rows say of other rows of the same table, set once all of them are there. */
  linkRows(transaction: Transaction, table: BackedUpTable, rows: readonly string[]): Promise<void>;
  finish(transaction: Transaction): Promise<void>;
}

/** In an order in which every row finds those it refers to. Sessions and stored answers are not worth keeping. */
export const backedUpTables = [
  'users',
  'identities',
  'master_keys',
  'vaults',
  'vault_keys',
  'environments',
  'secrets',
  'secret_versions',
  'api_tokens',
  'audit_checkpoints',
  'audit_events',
] as const;

export type BackedUpTable = (typeof backedUpTables)[number];

/** Columns that point into their own table. */
const ownReferences: Readonly<Partial<Record<BackedUpTable, string>>> = {
  environments: 'parent_id',
  api_tokens: 'rotated_to',
};

const fetchSize = 500;

export function createBackupRepository(db: Database): BackupRepository {
  const name = (table: BackedUpTable) => sql.identifier(table);
  return {
    atOneMoment: (work) =>
      db.transaction(work, { isolationLevel: 'repeatable read', accessMode: 'read only' }),

    inOneTry: (work) => db.transaction(work),

    async schema(transaction) {
      const { rows } = await transaction.execute<{ name: string }>(
        sql`select name from schema_migrations order by name desc limit 1`,
      );
      return rows[0]?.name ?? '';
    },

    async *rows(transaction, table) {
      const cursor = sql.identifier(`backup_${table}`);
      await transaction.execute(
        sql`declare ${cursor} no scroll cursor for select to_jsonb(t)::text as row from ${name(table)} t`,
      );
      for (;;) {
        const { rows } = await transaction.execute<{ row: string }>(
          sql`fetch forward ${sql.raw(String(fetchSize))} from ${cursor}`,
        );
        yield* rows.map(({ row }) => row);
        if (rows.length < fetchSize) break;
      }
      await transaction.execute(sql`close ${cursor}`);
    },

    async holdAlone(transaction) {
      // The file may come through a pipe that pauses for longer than other transactions may.
      await transaction.execute(sql`set local idle_in_transaction_session_timeout = 0`);
      return takeRestoreLock(transaction);
    },

    async filledTables(transaction) {
      const filled: BackedUpTable[] = [];
      for (const table of backedUpTables) {
        const { rows } = await transaction.execute(sql`select 1 from ${name(table)} limit 1`);
        if (rows.length > 0) filled.push(table);
      }
      return filled;
    },

    async insert(transaction, table, rows) {
      const reference = ownReferences[table];
      const row = reference === undefined ? sql`r` : sql`r || jsonb_build_object(${reference}::text, null)`;
      // All rows of a table come from one select, so the first names the columns of all.
      const named = await transaction.execute<{ name: string }>(sql`
        select attname as name from pg_attribute
        where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
          and ${rows[0]}::jsonb ? attname`);
      const columns = sql.join(
        named.rows.map((column) => sql.identifier(column.name)),
        sql`, `,
      );
      await transaction.execute(sql`
        insert into ${name(table)} (${columns}) overriding system value
        select ${columns} from jsonb_array_elements(${`[${rows.join(',')}]`}::jsonb) r,
          lateral jsonb_populate_record(null::${name(table)}, ${row}) p`);
    },

    async linkRows(transaction, table, rows) {
      const reference = ownReferences[table];
      if (reference === undefined) return;
      const column = sql.identifier(reference);
      await transaction.execute(sql`
        update ${name(table)} t set ${column} = (r ->> ${reference}::text)::uuid
        from jsonb_array_elements(${`[${rows.join(',')}]`}::jsonb) r
        where t.id = (r ->> 'id')::uuid and r ->> ${reference}::text is not null`);
    },

    async finish(transaction) {
      await transaction.execute(
        sql`select setval(pg_get_serial_sequence('audit_events', 'id'), greatest(max(id), 1)) from audit_events`,
      );
    },
  };
}
