import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiUser, startTestApi, type TestApi } from '../../../test/api.js';

let api: TestApi;
let ada: ApiUser;
let secrets: string;

beforeAll(async () => {
  api = await startTestApi();
  ada = await api.user();
  secrets = `${ada.vaultPath}/secrets`;
  const lines = Array.from({ length: 200 }, (_, n) => `KEY_${n}=${'a value '.repeat(60)}`);
  await ada.session('POST', `${ada.vaultPath}/import?env=dev`, {
    body: lines.join('\n'),
    headers: { 'content-type': 'text/plain' },
  });
}, 60_000);

afterAll(() => api.close());

const get = (path: string, encoding = 'gzip') =>
  ada.session('GET', path, { headers: { 'accept-encoding': encoding } });

describe('a list of names', () => {
  test('comes compressed to whoever takes it, and plain to others', async () => {
    const small = await get(secrets);
    expect(small.headers.get('content-encoding')).toBe('gzip');
    expect(Number(small.headers.get('content-length'))).toBeLessThan(small.text.length / 4);
    const plain = await get(secrets, 'identity');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.json).toEqual(small.json);
    for (const { headers } of [small, plain]) expect(headers.get('vary')).toBe('accept-encoding');
  });
});

test('what holds a value or a token is never compressed, however large it is', async () => {
  const token = await ada.session('POST', '/api/secrets/tokens', {
    body: { name: 'n', scopes: ['secrets:read'], ip_allow: ['10.0.0.0/8'] },
    headers: { 'accept-encoding': 'gzip' },
  });
  const replies = [
    token,
    await get(`${secrets}?include=values`),
    await get(`${secrets}/KEY_1?env=dev`),
    await get(`${secrets}/KEY_1/versions/1?env=dev`),
    await get(`${ada.vaultPath}/export?env=dev`),
    await get('/api/secrets/tokens'),
    await get('/api/secrets/audit'),
  ];
  for (const reply of replies) {
    expect(reply.status).toBeLessThan(300);
    expect(reply.headers.get('content-encoding')).toBeNull();
  }
});
