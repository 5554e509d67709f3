import { createLogger } from '@hearth/service-kit/logger';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { Router } from 'express';
import request from 'supertest';
import { createTestDatabase, type TestDatabase } from '../../test/database.js';
import { createApp } from '../create-app.js';
import { createDatabaseClient } from '../db/client.js';
import { users } from '../db/schema/users.js';
import { createTransactionRunner } from '../db/transaction.js';

const canary = 'canary-value-7f3a';
let database: TestDatabase;
let logged = '';
const logger = createLogger({
  name: 'vault',
  level: 'trace',
  format: 'json',
  destination: {
    write(line: string) {
      logged += line;
    },
  },
});

beforeAll(async () => {
  database = await createTestDatabase();
}, 60_000);

afterAll(() => database.close());

/** An application whose only route runs this. */
function appOf(work: () => Promise<unknown>) {
  logged = '';
  const route = Router().get('/work', async (_request, response) => {
    response.json(await work());
  });
  return createApp({ logger, readiness: {}, trustedProxies: [], securityRules: [], routes: [route] });
}

test('a failed query shows its values neither to the caller nor in the log', async () => {
  const app = appOf(() => database.db.insert(users).values({ id: canary, displayName: canary }));
  const reply = await request(app).get('/work').expect(500);
  expect(reply.body).toMatchObject({ code: 'internal', request_id: reply.headers['x-request-id'] });
  expect(reply.text).not.toContain(canary);
  expect(logged).toContain('"code":"22P02"');
  expect(logged).not.toContain(canary);
});

test('a constraint that names the row shows it neither to the caller nor in the log', async () => {
  const id = '00000000-0000-4000-8000-000000000001';
  await database.db.insert(users).values({ id, displayName: canary });
  const app = appOf(() => database.db.insert(users).values({ id, displayName: canary }));
  const reply = await request(app).get('/work').expect(500);
  expect(`${reply.text}${logged}`).not.toContain(canary);
});

test('a database that is away is 503 with a time to come back, and /readyz says so', async () => {
  const away = createDatabaseClient({
    connection: { host: '127.0.0.1', port: 1, user: 'x', password: canary, database: 'x' },
    poolSize: 1,
    logger,
  });
  const app = createApp({
    logger,
    readiness: { database: () => away.db.execute(sql`select 1`).then(() => undefined) },
    trustedProxies: [],
    securityRules: [],
    routes: [
      Router().get('/work', async (_request, response) => {
        response.json(await away.db.execute(sql`select 1`));
      }),
    ],
  });
  const reply = await request(app).get('/work').expect(503).expect('retry-after', '2');
  expect(reply.body.code).toBe('database_unavailable');
  await request(app)
    .get('/readyz')
    .expect(503, { status: 'unavailable', checks: { database: 'failed' } });
  await request(app).get('/healthz').expect(200);
  expect(logged).not.toContain(canary);
  await away.close();
});

test('connections that Postgres closes, idle or in the middle of a transaction, do not end the process', async () => {
  const inTransaction = createTransactionRunner(database.db);
  const admin = await createTestDatabase({ migrated: false });
  try {
    const lost = new Promise((resolve) => database.pool.once('error', resolve));
    const [{ name }] = (await database.pool.query('select current_database() as name')).rows;
    // Two at once need two connections: one for the transaction, one that is idle meanwhile.
    await Promise.all([database.pool.query('select 1'), database.pool.query('select 1')]);
    const work = inTransaction(async (transaction) => {
      await transaction.execute(sql`select 1`);
      await closeConnectionsTo(name, admin);
      await lost;
      await transaction.execute(sql`select 1`);
    });
    await expect(work).rejects.toThrow();
  } finally {
    await admin.close();
  }
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

async function closeConnectionsTo(name: string, admin: TestDatabase): Promise<void> {
  await admin.pool.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
}
