import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createTestApp, type TestApp } from '../test/create-test-app.js';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await createTestApp();
}, 60_000);

afterAll(() => testApp.close());

describe('the vault application', () => {
  test('is healthy, and ready while its database answers', async () => {
    await request(testApp.app).get('/healthz').expect(200, { status: 'ok' });
    await request(testApp.app)
      .get('/readyz')
      .expect(200, { status: 'ok', checks: { database: 'ok', master_key: 'ok' } });
  });

  test('answers a call without a token with 401 problem JSON and the scheme to use', async () => {
    const reply = await request(testApp.app)
      .get('/api/secrets/vaults')
      .set('content-type', 'application/json')
      .expect(401)
      .expect('content-type', /^application\/problem\+json/)
      .expect('cache-control', 'no-store')
      .expect('www-authenticate', 'Bearer realm="secrets"');
    expect(reply.body).toEqual({
      type: 'urn:hearth:problem:unauthenticated',
      title: 'Sign-in or a valid token is needed',
      status: 401,
      detail: expect.any(String),
      code: 'unauthenticated',
      request_id: reply.headers['x-request-id'],
    });
  });

  test('answers an unknown path with problem JSON that does not repeat the path', async () => {
    const reply = await request(testApp.app).get('/no-such-<b>place').expect(404);
    expect(reply.body.code).toBe('not_found');
    expect(reply.text).not.toContain('place');
  });

  test('removes old audit events now and then, unless they are to be kept for ever', async () => {
    expect(testApp.housekeeping).toHaveProperty('old_audit_events');
    const keeping = await createTestApp({ HEARTH_VAULT_AUDIT_DAYS: '0' });
    try {
      expect(keeping.housekeeping).not.toHaveProperty('old_audit_events');
    } finally {
      await keeping.close();
    }
  }, 60_000);
});
