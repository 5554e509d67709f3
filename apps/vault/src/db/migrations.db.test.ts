import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { createTestDatabase, type TestDatabase } from '../../test/database.js';
import { migrate, readMigrations } from './migrations.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
}, 60_000);

afterAll(() => database.close());

/** Every table that src/db/schema declares. */
async function declaredTables(): Promise<PgTable[]> {
  const folder = new URL('./schema/', import.meta.url);
  const tables: PgTable[] = [];
  for (const file of await readdir(folder)) {
    const exported: Record<string, unknown> = await import(`./schema/${file.replace(/\.ts$/, '.js')}`);
    tables.push(...Object.values(exported).filter((value): value is PgTable => is(value, PgTable)));
  }
  return tables;
}

describe('migrations', () => {
  test('ten vaults that start at once migrate an empty database exactly once', async () => {
    const migrations = await readMigrations();
    const runs = await Promise.all(
      Array.from({ length: 10 }, () => migrate(database.connection, migrations)),
    );
    expect(runs.flat()).toEqual(migrations.map(({ name }) => name));
    expect(await migrate(database.connection, migrations)).toEqual([]);
  }, 60_000);

  test('make every table and column that the code declares, with the same nullability, and no others', async () => {
    const { rows } = await database.pool.query<{ table: string; column: string; nullable: boolean }>(
      `select table_name as table, column_name as column, is_nullable = 'YES' as nullable
       from information_schema.columns where table_schema = 'public' and table_name <> 'schema_migrations'`,
    );
    const made = rows.map(({ table, column, nullable }) => `${table}.${column}${nullable ? '?' : ''}`).sort();
    const declared = (await declaredTables())
      .flatMap((table) =>
        Object.values(getTableColumns(table)).map(
          (column) => `${getTableName(table)}.${column.name}${column.notNull ? '' : '?'}`,
        ),
      )
      .sort();
    expect(made).toEqual(declared);
  });

  test('a database with a changed migration is refused and left as it was', async () => {
    const migrations = (await readMigrations()).map((migration) => ({ ...migration, checksum: 'changed' }));
    await expect(migrate(database.connection, migrations)).rejects.toThrow(
      /was changed after it had been applied/,
    );
  });

  test('a database of a newer version is refused', async () => {
    await expect(migrate(database.connection, [])).rejects.toThrow(/migrated by a newer hearth-vault/);
  });

  test('a migration that fails half-way leaves nothing behind', async () => {
    const migrations = await readMigrations();
    const sql = 'create table half_made (id int); select 1/0;';
    const broken = { name: '9999-broken.sql', sql, checksum: 'x' };
    await expect(migrate(database.connection, [...migrations, broken])).rejects.toThrow(/division by zero/);
    const { rows } = await database.pool.query("select to_regclass('half_made') as found");
    expect(rows[0].found).toBeNull();
  });

  test('the audit log can be neither changed, deleted from, nor emptied', async () => {
    await database.pool.query(
      `insert into audit_events (user_id, actor_kind, action, outcome, request_id, hash)
       values (gen_random_uuid(), 'system', 'test', 'success', gen_random_uuid(), '\\x00')`,
    );
    for (const statement of [
      "update audit_events set action = 'other'",
      'delete from audit_events',
      'truncate audit_events',
    ]) {
      await expect(database.pool.query(statement)).rejects.toThrow(/append-only/);
    }
  });
});
