import { randomBytes } from 'node:crypto';
import { createLogger } from '@hearth/service-kit/logger';
import pg from 'pg';
import { createDatabaseClient, type Database } from '../src/db/client.js';
import { migrate, readMigrations } from '../src/db/migrations.js';

export interface TestDatabase {
  readonly db: Database;
  readonly pool: pg.Pool;
  readonly connection: pg.ClientConfig;
  /** The same as an address, for starting a whole vault on it. */
  readonly url: string;
  close(): Promise<void>;
}

/** `second` is of another major version where the run has one, else the same as `first`. */
type WhichServer = 'first' | 'second';

/** The server that start-postgres.mjs started for this run. */
export function testServer(which: WhichServer = 'first'): pg.ClientConfig {
  const described = process.env[which === 'first' ? 'HEARTH_TEST_POSTGRES' : 'HEARTH_TEST_POSTGRES_SECOND'];
  if (!described) throw new Error('no Postgres was started for this run; name the file x.db.test.ts');
  return JSON.parse(described) as pg.ClientConfig;
}

/** A new database, migrated unless told otherwise, that is dropped when closed: one for each test file. */
export async function createTestDatabase(
  options: { migrated?: boolean; server?: WhichServer } = {},
): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const server = testServer(options.server);
  await onServer(server, (client) => client.query(`create database ${name}`));
  const connection = connectionTo(server, name);
  if (options.migrated !== false) await migrate(connection, await readMigrations());
  const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });
  // A machine that runs other suites beside this one may let a query wait for longer than any real one would.
  const client = createDatabaseClient({ connection, poolSize: 10, patienceMs: 60_000, logger });
  return {
    db: client.db,
    pool: client.pool,
    connection,
    url: urlOf(connection),
    async close() {
      await client.close();
      await onServer(server, (admin) => admin.query(`drop database if exists ${name} with (force)`));
    },
  };
}

async function onServer(
  server: pg.ClientConfig,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function connectionTo(server: pg.ClientConfig, database: string): pg.ClientConfig {
  if (server.connectionString === undefined) return { ...server, database };
  const url = new URL(server.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

function urlOf(connection: pg.ClientConfig): string {
  if (connection.connectionString !== undefined) return connection.connectionString;
  const { user, password, host, port, database } = connection;
  const query = new URLSearchParams({ host: String(host), port: String(port) });
  return `postgres://${user}:${encodeURIComponent(String(password))}@localhost/${database}?${query}`;
}
