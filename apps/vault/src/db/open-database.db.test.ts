import { createLogger } from '@hearth/service-kit/logger';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { createTestDatabase, type TestDatabase } from '../../test/database.js';
import { readConfig } from '../config.js';
import { openDatabase } from './open-database.js';

const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });
let database: TestDatabase;

beforeAll(async () => {
  // The embedded one: it listens on a socket, whatever else the run was given.
  database = await createTestDatabase({ server: 'second' });
}, 60_000);

afterAll(() => database.close());

function open(databaseUrl: string) {
  const config = readConfig({ env: { DATABASE_URL: databaseUrl }, flags: {} });
  return openDatabase({ ...config, dataFolder: '/nonexistent', poolSize: 2, logger });
}

test('a socket is reached by an address without a host, as libpq writes it', async () => {
  const { user, password, host, port, database: name } = database.connection;
  const socket = new URLSearchParams({ host: String(host), port: String(port) });
  const secret = encodeURIComponent(String(password));
  const account = new URLSearchParams({ user: String(user), password: String(password) });
  for (const url of [
    `postgres://${user}:${secret}@/${name}?${socket}`,
    `postgresql:///${name}?${socket}&${account}`,
  ]) {
    const opened = await open(url);
    try {
      expect((await opened.db.execute(sql`select current_database() as name`)).rows).toEqual([{ name }]);
    } finally {
      await opened.close();
    }
  }
});

test('a socket that is not there is told in one line without the address', async () => {
  const failed = await open('postgres://canary-user:canary-password@/db?host=/nonexistent').then(
    () => '',
    (error: unknown) => String(error),
  );
  expect(failed).toContain('cannot use the database of DATABASE_URL: there is no such socket');
  expect(failed).not.toContain('canary');
});
