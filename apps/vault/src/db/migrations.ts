import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { StartupError } from '@hearth/service-kit/startup-error';
import pg from 'pg';
import { connectionConfig } from './client.js';

export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** Beside src/ and dist/ alike, so that the same address holds in tests, from the build and in the image. */
export const migrationsFolder = new URL('../../migrations/', import.meta.url);

/** Any number will do, as long as every vault asks for the same one. */
const lockKey = 4_837_102_955;

export async function readMigrations(folder: URL = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * Brings a database to the schema of this program and returns the names of the migrations it ran. Several vaults
 * may start at once: an advisory lock lets one migrate while the others wait. Each file is one transaction.
 */
export async function migrate(
  connection: string | pg.ClientConfig,
  migrations: readonly Migration[],
): Promise<string[]> {
  const client = new pg.Client({ ...connectionConfig(connection), application_name: 'hearth-vault migrate' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    await client.query(
      `create table if not exists schema_migrations (
         name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())`,
    );
    const applied = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from schema_migrations order by name',
    );
    const pending = pendingMigrations(migrations, applied.rows);
    for (const migration of pending) await run(client, migration);
    return pending.map(({ name }) => name);
  } finally {
    // Ends the session, and with it the lock.
    await client.end();
  }
}

function pendingMigrations(
  known: readonly Migration[],
  applied: readonly { name: string; checksum: string }[],
): Migration[] {
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  for (const { name, checksum } of applied) {
    const migration = byName.get(name);
    if (!migration) {
      throw new StartupError(
        `the database was migrated by a newer hearth-vault (${name} is unknown here); start that version`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new StartupError(
        `migration ${name} was changed after it had been applied to this database; restore the file and add a new migration instead`,
      );
    }
  }
  const done = new Set(applied.map(({ name }) => name));
  return known.filter(({ name }) => !done.has(name));
}

async function run(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
