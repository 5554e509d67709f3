import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../test/database.js';
import { createTestDomain, sessionCaller } from '../../test/domain.js';
import type { Domain } from '../compose-domain.js';
import { eventBy } from './audit-event.js';

let database: TestDatabase;
let domain: Domain;

beforeAll(async () => {
  database = await createTestDatabase();
  domain = await createTestDomain(database.db);
}, 60_000);

afterAll(() => database.close());

test('events of one user form one chain, also when thirty are written at once', async () => {
  const ada = sessionCaller(randomUUID(), 'Ada');
  const eve = sessionCaller(randomUUID(), 'Eve');
  await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      domain.audit.recordAlone(
        eventBy(index % 2 === 0 ? ada : eve, 'secret.read', { meta: { z: index, a: ['x'] } }),
      ),
    ),
  );
  expect(await domain.audit.verify(ada.userId)).toMatchObject({
    valid: true,
    events: 15,
    firstBrokenId: null,
  });
  expect(await domain.audit.verify(eve.userId)).toMatchObject({ valid: true, events: 15 });
}, 60_000);

test('the chain holds for every kind of address and text', async () => {
  const caller = sessionCaller(randomUUID(), 'Ädä "quoted" \u{1f600}');
  for (const ip of ['10.1.2.3', '2001:DB8:0:0:0:0:0:1', '::1', null]) {
    const event = eventBy(caller, 'token.create', {
      target: { kind: 'token', id: randomUUID(), label: 'é' },
    });
    await domain.audit.recordAlone({ ...event, request: { ...event.request, ip } });
  }
  expect(await domain.audit.verify(caller.userId)).toMatchObject({ valid: true, events: 4 });
});

test('the database refuses to change or remove an event', async () => {
  const caller = sessionCaller(randomUUID(), 'Ada');
  await domain.audit.recordAlone(eventBy(caller, 'auth.login'));
  for (const attack of [
    'update audit_events set action = action',
    'delete from audit_events',
    'truncate audit_events',
  ]) {
    await expect(database.pool.query(attack)).rejects.toThrow(/append-only/);
  }
});

test('someone who takes the guard away and changes, removes or reorders an event is found out', async () => {
  const attacks = [
    `update audit_events set meta = '{"n": 99}' where id = $1`,
    `update audit_events set at = at + interval '1 ms' where id = $1`,
    'delete from audit_events where id = $1',
  ];
  for (const attack of attacks) {
    const caller = sessionCaller(randomUUID(), 'Ada');
    for (let n = 0; n < 4; n += 1)
      await domain.audit.recordAlone(eventBy(caller, 'secret.read', { meta: { n } }));
    const second = (await domain.audit.page(caller.userId, {}, undefined, 10)).at(-2)?.id;
    const client = await database.pool.connect();
    await client.query('begin; alter table audit_events disable trigger user');
    await client.query(attack, [second]);
    await client.query('alter table audit_events enable trigger user; commit');
    client.release();
    expect(await domain.audit.verify(caller.userId)).toMatchObject({ valid: false, events: 1 });
  }
});

test('filters choose by action, group, target, outcome and time', async () => {
  const caller = sessionCaller(randomUUID(), 'Ada');
  const target = { kind: 'secret', id: randomUUID(), label: 'KEY' };
  await domain.audit.recordAlone(
    eventBy(caller, 'secret.read', { target }),
    eventBy(caller, 'secret.update', { target, outcome: 'denied' }),
    eventBy(caller, 'token.create'),
  );
  const actions = async (filters: Parameters<typeof domain.audit.page>[1]) =>
    (await domain.audit.page(caller.userId, filters, undefined, 10)).map(({ action }) => action);
  expect(await actions({})).toEqual(['token.create', 'secret.update', 'secret.read']);
  expect(await actions({ action: 'secret.*' })).toEqual(['secret.update', 'secret.read']);
  expect(await actions({ action: 'secret.read' })).toEqual(['secret.read']);
  expect(await actions({ target: target.id, outcome: 'denied' })).toEqual(['secret.update']);
  expect(await actions({ from: new Date(Date.now() + 60_000) })).toEqual([]);
  expect(await actions({ to: new Date(Date.now() + 60_000) })).toHaveLength(3);
});
