import { expect, test } from '@jest/globals';
import { ada, api, givenApi } from '../../../test/given-api.js';
import { mintToken } from '../../crypto/api-token.js';
import { rateLimits } from './rate-limits.js';

givenApi({ HEARTH_VAULT_RATE_LIMITS: 'true' });

async function denials(): Promise<{ target_id: string; meta: unknown }[]> {
  const { rows } = await api.database.pool.query(
    `select target_id, meta from audit_events where action = 'token.use_denied' order by id`,
  );
  return rows;
}

test('a token in an address opens nothing, and its owner is told once', async () => {
  const token = await ada.token(['vaults:read']);
  for (const name of ['token', 'access_token', 'api_key']) {
    const reply = await api.anonymous('GET', `/api/secrets/vaults?${name}=${token.value}`);
    expect(reply.status).toBe(401);
    expect(reply.text).not.toContain(token.value);
  }
  expect(await denials()).toEqual([{ target_id: token.id, meta: { reason: 'in_url' } }]);
  expect(api.logText()).not.toContain(token.value);
});

test('it is told also where the request is let in for another reason, or is for a page', async () => {
  const token = await ada.token(['vaults:read']);
  const reply = await token('GET', `/api/secrets/vaults?limit=5&copy=${token.value}`);
  expect(reply.status).toBe(200);
  const other = await ada.token(['vaults:read']);
  await fetch(`${api.url}/signin?token=${other.value}`);
  expect((await denials()).map(({ target_id }) => target_id)).toEqual(
    expect.arrayContaining([token.id, other.id]),
  );
});

test('a text that only looks like a token is nobody’s, and trying many is slowed down', async () => {
  const before = (await denials()).length;
  const attempt = () => api.anonymous('GET', `/api/secrets/vaults?token=${mintToken().value}`);
  let refused = 0;
  for (let count = 0; count <= rateLimits.failedToken.limit; count += 1) {
    if ((await attempt()).status === 429) refused += 1;
  }
  expect(refused).toBeGreaterThan(0);
  expect(await denials()).toHaveLength(before);
}, 30_000);
