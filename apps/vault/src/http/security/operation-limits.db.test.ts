import { expect, test } from '@jest/globals';
import { ada, api, givenApi } from '../../../test/given-api.js';
import { rateLimits } from './rate-limits.js';

givenApi({ HEARTH_VAULT_RATE_LIMITS: 'true' });

test('exports have a limit of their own for each token, far below that of other reads', async () => {
  await ada.session('PUT', `${ada.vaultPath}/secrets/KEY?env=dev`, { body: { value: 'v' } });
  const deploy = await ada.token(['secrets:read', 'export:read']);
  const exportAll = () => deploy('GET', `${ada.vaultPath}/export?env=dev&format=dotenv`);
  for (let count = 0; count < rateLimits.export.limit; count += 1) {
    expect((await exportAll()).status).toBe(200);
  }
  const refused = await exportAll();
  expect(refused).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await deploy('GET', '/api/secrets/vaults')).status).toBe(200);
  const other = await ada.token(['export:read']);
  expect((await other('GET', `${ada.vaultPath}/export?env=dev&format=dotenv`)).status).toBe(200);
}, 60_000);

test('new and rotated tokens count together against one limit an hour, and revoking does not', async () => {
  const tokens = '/api/secrets/tokens';
  const create = (name: string) =>
    ada.session('POST', tokens, { body: { name, scopes: ['vaults:read'], expires_in_days: 1 } });
  const first = await create('first');
  expect(first.status).toBe(201);
  expect((await ada.session('POST', `${tokens}/${first.json.id}/rotate`)).status).toBe(201);
  for (let count = 2; count < rateLimits.tokenCreate.limit; count += 1) {
    expect((await create(`token ${count}`)).status).toBe(201);
  }
  const refused = await create('one too many');
  expect(refused).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
  expect((await ada.session('POST', `${tokens}/revoke-all`)).status).toBe(200);
  expect((await ada.session('GET', tokens)).status).toBe(200);
  const grace = await api.user('Grace');
  const hers = await grace.session('POST', tokens, {
    body: { name: 'first', scopes: ['vaults:read'], expires_in_days: 1 },
  });
  expect(hers.status).toBe(201);
}, 60_000);
