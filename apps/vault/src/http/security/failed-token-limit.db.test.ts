import { expect, test } from '@jest/globals';
import { ada, api, givenApi } from '../../../test/given-api.js';
import { mintToken } from '../../crypto/api-token.js';
import { rateLimits } from './rate-limits.js';

givenApi({ HEARTH_VAULT_RATE_LIMITS: 'true' });

const list = '/api/secrets/vaults';
const withToken = (value: string) => ({ headers: { authorization: `Bearer ${value}` } });

test('whoever guesses shuts out guesses from his address, and not the tokens that were good there before', async () => {
  const known = await ada.token(['vaults:read']);
  const revoked = await ada.token(['vaults:read']);
  const late = await ada.token(['vaults:read']);
  expect((await known('GET', list)).status).toBe(200);
  expect((await revoked('GET', list)).status).toBe(200);
  const primed = mintToken().value;
  // A page that is open to all says nothing about the token it was asked with.
  expect((await api.anonymous('GET', '/healthz', withToken(primed))).status).toBe(200);

  for (let count = 0; count < rateLimits.failedToken.limit; count += 1) {
    expect((await api.anonymous('GET', list, withToken(mintToken().value))).status).toBe(401);
  }
  expect((await api.anonymous('GET', list, withToken(mintToken().value))).status).toBe(429);
  expect((await api.anonymous('GET', list, withToken(primed))).status).toBe(429);
  expect((await late('GET', list)).status).toBe(429);
  expect((await known('GET', list)).status).toBe(200);

  await ada.session('DELETE', `/api/secrets/tokens/${revoked.id}`);
  expect((await revoked('GET', list)).status).toBe(401);
  expect((await revoked('GET', list)).status).toBe(429);
}, 30_000);
