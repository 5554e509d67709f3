import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../test/database.js';
import { createTestDomain, sessionCaller } from '../../test/domain.js';
import type { Caller } from '../access/caller.js';
import type { Domain } from '../compose-domain.js';
import { createTransactionRunner } from '../db/transaction.js';
import { eventBy } from './audit-event.js';
import { createAuditRepository } from './audit-repository.js';
import { createAuditRetention } from './audit-retention.js';

const day = 86_400_000;
let database: TestDatabase;
let domain: Domain;

beforeAll(async () => {
  database = await createTestDatabase();
  domain = await createTestDomain(database.db);
}, 60_000);

afterAll(() => database.close());

const daysAgo = (days: number) => new Date(Date.now() - days * day);

/** Writes an event as if it had happened so many days ago. */
async function happened(caller: Caller, days: number): Promise<void> {
  const events = createAuditRepository(database.db);
  await domain.inTransaction((transaction) =>
    events.append(transaction, [eventBy(caller, 'secret.read', { meta: { days } })], daysAgo(days)),
  );
}

const logOf = async ({ userId }: Caller) =>
  (await domain.audit.page(userId, {}, undefined, 100)).map(({ action, meta }) =>
    action === 'audit.prune' ? `prune ${meta['removed']}` : meta['days'],
  );

async function callerWith(...days: number[]): Promise<Caller> {
  const caller = sessionCaller(randomUUID(), 'Ada');
  for (const ago of days) await happened(caller, ago);
  return caller;
}

test('old events go from the beginning of the chain, and the rest still verifies and grows', async () => {
  const ada = await callerWith(500, 400, 366.5, 300, 1);
  const other = await callerWith(300, 2);
  expect(await domain.auditRetention.removeBefore(daysAgo(365))).toBe(3);
  expect(await logOf(ada)).toEqual(['prune 3', 1, 300]);
  expect(await logOf(other)).toEqual([2, 300]);
  expect(await domain.audit.verify(ada.userId)).toMatchObject({ valid: true, events: 3 });
  await happened(ada, 0);
  expect(await domain.audit.verify(ada.userId)).toMatchObject({ valid: true, events: 4 });
  expect(await domain.auditRetention.removeBefore(daysAgo(200))).toBe(2);
  expect(await logOf(ada)).toEqual(['prune 1', 0, 'prune 3', 1]);
  expect(await domain.audit.verify(ada.userId)).toMatchObject({ valid: true, events: 4 });
  const { rows } = await database.pool.query(
    'select removed::int from audit_checkpoints where user_id = $1',
    [ada.userId],
  );
  expect(rows).toEqual([{ removed: 4 }]);
});

test('a log is not cleaned for less than a day’s worth, nor again when there is nothing to remove', async () => {
  const ada = await callerWith(365.5, 1);
  await domain.auditRetention.removeBefore(daysAgo(365));
  expect(await logOf(ada)).toEqual([1, 365.5]);
  const quiet = await callerWith(500, 450, 400);
  for (let n = 0; n < 4; n += 1) await domain.auditRetention.removeBefore(daysAgo(365));
  expect(await logOf(quiet)).toEqual(['prune 1', 'prune 2']);
  expect(await domain.audit.verify(quiet.userId)).toMatchObject({ valid: true });
});

test('many events go in several transactions, while others are written', async () => {
  const ada = await callerWith(...Array.from({ length: 25 }, (_, n) => 500 - n), 3);
  const retention = createAuditRetention({
    events: createAuditRepository(database.db),
    inTransaction: createTransactionRunner(database.db),
    now: () => new Date(),
    mostAtOnce: 10,
  });
  const [removed] = await Promise.all([
    retention.removeBefore(daysAgo(365)),
    ...Array.from({ length: 10 }, () => happened(ada, 0)),
  ]);
  expect(removed).toBe(25);
  expect((await logOf(ada)).filter((entry) => entry === 0)).toHaveLength(10);
  expect(await domain.audit.verify(ada.userId)).toMatchObject({ valid: true, events: 14 });
});

async function withoutGuard(statement: string, values: unknown[]): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('begin; alter table audit_events disable trigger user');
    await client.query(statement, values);
    await client.query('alter table audit_events enable trigger user; commit');
  } finally {
    client.release();
  }
}

test('a chain that was tampered with is left whole, and the others are cleaned all the same', async () => {
  const tampered = await callerWith(500, 450, 1);
  const honest = await callerWith(500, 450, 1);
  await withoutGuard(
    `update audit_events set meta = '{}' where user_id = $1 and at < now() - interval '480 days'`,
    [tampered.userId],
  );
  await expect(domain.auditRetention.removeBefore(daysAgo(365))).rejects.toThrow(
    'the audit logs of 1 accounts do not verify and were left whole',
  );
  expect(await logOf(tampered)).toEqual([1, 450, undefined]);
  expect(await logOf(honest)).toEqual(['prune 2', 1]);
  await withoutGuard('delete from audit_events where user_id = $1', [tampered.userId]);
});

test('someone who removes events under a checkpoint of their own is found out', async () => {
  const ada = await callerWith(3, 2, 1);
  const second = (await domain.audit.page(ada.userId, {}, undefined, 10))[1];
  await database.pool.query(
    'insert into audit_checkpoints (user_id, last_id, hash, removed) values ($1, $2, $3, 2)',
    [ada.userId, second?.id, second?.hash],
  );
  await database.pool.query('delete from audit_events where user_id = $1 and id <= $2', [
    ada.userId,
    second?.id,
  ]);
  expect(await logOf(ada)).toEqual([1]);
  expect(await domain.audit.verify(ada.userId)).toMatchObject({ valid: false, events: 0 });
});
