import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../test/database.js';
import { createTestDomain, fixedKeys } from '../../test/domain.js';
import type { Domain } from '../compose-domain.js';
import { makeMasterKey } from '../crypto/master-key.js';
import type { StoredAnswer } from './idempotency-service.js';

const [before, after] = [makeMasterKey(), makeMasterKey()];
let database: TestDatabase;
let domain: Domain;

beforeAll(async () => {
  database = await createTestDatabase();
  domain = await createTestDomain(database.db, fixedKeys(before));
}, 60_000);

afterAll(() => database.close());

const requestOf = (content = 'PUT|/secret|{"value":"1234"}') => ({
  principal: randomUUID(),
  key: randomUUID(),
  content,
});
const answer: StoredAnswer = { status: 201, headers: {}, json: { id: 'the first' } };
const never = async (): Promise<StoredAnswer> => {
  throw new Error('the work was done again');
};

test('what is kept of a request tells nobody without the master key whether a guess of it is right', async () => {
  const request = requestOf();
  await domain.idempotency.once(request, async () => answer);
  const { rows } = await database.pool.query<{ fingerprint: Buffer; row: string }>(
    'select fingerprint, t::text as row from idempotency_keys t where key = $1',
    [request.key],
  );
  expect(rows[0]?.fingerprint).toHaveLength(32);
  for (const guess of [request.content, JSON.stringify('1234'), '1234']) {
    expect(rows[0]?.row).not.toContain(createHash('sha256').update(guess).digest('hex'));
  }
});

test('a repeat after a rotation gets the first answer, another request does not, and neither is done', async () => {
  const request = requestOf();
  await domain.idempotency.once(request, async () => answer);
  const rotated = await createTestDomain(database.db, fixedKeys(after, [before]));
  expect(await rotated.idempotency.once(request, never)).toEqual({ answer, replayed: true });
  await expect(rotated.idempotency.once({ ...request, content: 'other' }, never)).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
  // Once the old key is gone nobody can tell any more what was asked.
  const later = await createTestDomain(database.db, fixedKeys(after));
  await expect(later.idempotency.once(request, never)).rejects.toMatchObject({ code: 'conflict' });
});

test('a repeat of what an older version has kept is refused, and not done a second time', async () => {
  const request = requestOf();
  await domain.idempotency.once(request, async () => answer);
  await database.pool.query('update idempotency_keys set fingerprint = $2 where key = $1', [
    request.key,
    createHash('sha256').update(request.content).digest(),
  ]);
  await expect(domain.idempotency.once(request, never)).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
});
