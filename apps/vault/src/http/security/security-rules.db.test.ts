import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createTestApp, type TestApp } from '../../../test/create-test-app.js';
import { signedInBrowser, startTestVault, type TestVault } from '../../../test/start-test-vault.js';
import { rateLimits } from './rate-limits.js';

let vault: TestVault;

beforeAll(async () => {
  vault = await startTestVault();
}, 60_000);

afterAll(() => vault.close());

describe('every reply', () => {
  test('carries the strictest headers, and none that lets another site read it', async () => {
    const reply = await request(vault.app)
      .get('/api/providers')
      .set('origin', 'https://evil.example')
      .expect(200);
    expect(reply.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none';frame-ancestors 'none';sandbox",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(reply.headers['permissions-policy']).toContain('camera=()');
    for (const header of [
      'access-control-allow-origin',
      'etag',
      'x-powered-by',
      'strict-transport-security',
    ]) {
      expect(reply.headers).not.toHaveProperty(header);
    }
  });

  test('to a preflight allows nothing', async () => {
    const reply = await request(vault.app)
      .options('/api/session')
      .set('origin', 'https://evil.example')
      .set('access-control-request-method', 'DELETE');
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('a change that rests on a session', () => {
  const withHeaders = async (headers: Record<string, string>) => {
    const browser = await signedInBrowser(vault, 'ada');
    const reply = await browser.request(`${vault.url}/api/sessions`, { method: 'DELETE', headers });
    return { status: reply.status, code: JSON.parse(reply.text).code };
  };
  const refused = { status: 403, code: 'csrf_failed' };
  const consoleHeader = { 'x-hearth-console': '1' };

  test('passes from the console itself', async () => {
    expect((await withHeaders({ 'sec-fetch-site': 'same-origin', ...consoleHeader })).status).toBe(200);
  });

  test('passes from a browser without fetch metadata when the origin is ours', async () => {
    expect((await withHeaders({ origin: vault.url, ...consoleHeader })).status).toBe(200);
  });

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site', ...consoleHeader }],
    ['a sister site', { 'sec-fetch-site': 'same-site', ...consoleHeader }],
    ['the address bar', { 'sec-fetch-site': 'none', ...consoleHeader }],
    ['another origin', { origin: 'https://evil.example', ...consoleHeader }],
    ['nowhere it would say', { ...consoleHeader }],
    ['our pages, without the header that only a script can set', { 'sec-fetch-site': 'same-origin' }],
  ])('is refused from %s', async (_from, headers) => {
    expect(await withHeaders(headers)).toEqual(refused);
  });

  test('is not made by a cookie beside a token: the token alone counts', async () => {
    const browser = await signedInBrowser(vault, 'ada');
    const reply = await browser.api(`${vault.url}/api/sessions`, {
      method: 'DELETE',
      headers: { authorization: 'Bearer sk-svc-wrong' },
    });
    expect(reply.status).toBe(401);
  });
});

describe('a body', () => {
  let session: string;

  beforeAll(async () => {
    const browser = await signedInBrowser(vault, 'ada');
    session = `hearth=${browser.cookies(new URL(vault.url).host).get('hearth')}`;
  });

  const post = (path: string) =>
    request(vault.app)
      .post(path)
      .set({ cookie: session, 'sec-fetch-site': 'same-origin', 'x-hearth-console': '1' });

  test('that is not JSON is refused without repeating or logging it', async () => {
    const reply = await post('/api/secrets/vaults')
      .set('content-type', 'application/json')
      .send('{"value":"canary-in-broken-json",')
      .expect(400);
    expect(reply.body.code).toBe('malformed_json');
    expect(reply.text).not.toContain('canary-in-broken-json');
    expect(vault.logText()).not.toContain('canary-in-broken-json');
  });

  test('of another type is refused, not ignored', async () => {
    const reply = await post('/api/secrets/vaults')
      .set('content-type', 'text/plain')
      .send('hello')
      .expect(415);
    expect(reply.body.code).toBe('unsupported_media_type');
  });

  test('over its limit is refused', async () => {
    const reply = await post('/api/secrets/vaults')
      .send({ name: 'x'.repeat(300_000) })
      .expect(413);
    expect(reply.body.code).toBe('body_too_large');
  });

  test('of a stranger is not read at all', async () => {
    await request(vault.app)
      .post('/api/secrets/vaults')
      .set('content-type', 'application/json')
      .send('{"broken')
      .expect(401);
  });
});

describe('rate limits', () => {
  let limited: TestApp;

  beforeAll(async () => {
    limited = await createTestApp({ HEARTH_VAULT_RATE_LIMITS: 'true' });
  }, 60_000);

  afterAll(() => limited.close());

  test('slow down whoever tries tokens, and tell when to come back', async () => {
    const attempt = () =>
      request(limited.app).get('/api/secrets/vaults').set('authorization', 'Bearer sk-svc-guess');
    for (let count = 0; count < rateLimits.failedToken.limit; count += 1) await attempt().expect(401);
    const reply = await attempt().expect(429);
    expect(reply.body.code).toBe('rate_limited');
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    await request(limited.app).get('/api/providers').expect(200);
  }, 30_000);

  test('bound sign-ins from one address, with the state of the limit in every reply', async () => {
    const attempt = () => request(limited.app).get('/auth/github');
    const first = await attempt().expect(404);
    expect(first.headers['ratelimit-policy']).toContain(`q=${rateLimits.signIn.limit}`);
    expect(first.headers['ratelimit']).toContain(`r=${rateLimits.signIn.limit - 1}`);
    for (let count = 1; count < rateLimits.signIn.limit; count += 1) await attempt();
    const reply = await attempt().expect(429);
    expect(reply.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  }, 30_000);

  test('count the address of the connection, whatever X-Forwarded-For says', async () => {
    const reply = await request(limited.app)
      .get('/auth/github')
      .set('x-forwarded-for', '203.0.113.7')
      .expect(429);
    expect(reply.body.code).toBe('rate_limited');
  });

  test('believe a proxy that is named', async () => {
    const behindProxy = await createTestApp({
      HEARTH_VAULT_RATE_LIMITS: 'true',
      TRUSTED_PROXIES: 'loopback',
    });
    try {
      const from = (address: string) =>
        request(behindProxy.app).get('/auth/github').set('x-forwarded-for', address);
      for (let count = 0; count < rateLimits.signIn.limit; count += 1) await from('203.0.113.7');
      await from('203.0.113.7').expect(429);
      await from('203.0.113.8').expect(404);
    } finally {
      await behindProxy.close();
    }
  }, 30_000);
});
