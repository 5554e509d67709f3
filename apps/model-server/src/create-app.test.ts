import { singleKeyVerifier } from '@hearth/auth-middleware/single-key-verifier';
import { vaultTokenVerifier } from '@hearth/auth-middleware/vault-token-verifier';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createTestApp } from '../test/create-test-app.js';
import { ModelCatalogue } from './models/model-catalogue.js';

describe('without a key', () => {
  test('GET /api/tags lists the bundled model in the runner family form', async () => {
    const { app } = createTestApp();
    const response = await request(app).get('/api/tags').expect(200);
    expect(response.body.models).toEqual([
      expect.objectContaining({
        name: 'ember:latest',
        size: 15_465_728,
        modified_at: '2026-11-01T12:00:00.000Z',
      }),
    ]);
  });

  test('GET /v1/models lists the bundled model as owned by local', async () => {
    const { app } = createTestApp();
    const response = await request(app).get('/v1/models').expect(200);
    expect(response.body).toEqual({
      object: 'list',
      data: [
        {
          id: 'ember:latest',
          object: 'model',
          created: 1_793_534_400,
          owned_by: 'local',
          context_length: 2048,
          capabilities: ['completion', 'tools', 'thinking'],
          loaded: false,
        },
      ],
    });
  });

  test('any credential is accepted and ignored', async () => {
    const { app } = createTestApp();
    await request(app).get('/v1/models').set('authorization', 'Bearer whatever').expect(200);
  });
});

describe('with a key', () => {
  const withKey = () => createTestApp({ verifier: singleKeyVerifier('sesame') });

  test.each(['/api/tags', '/v1/models'])('%s opens with either header form', async (path) => {
    const { app } = withKey();
    await request(app).get(path).set('authorization', 'Bearer sesame').expect(200);
    await request(app).get(path).set('x-api-key', 'sesame').expect(200);
  });

  test('a missing key is a 401 in the shape of the path family, with a challenge', async () => {
    const { app } = withKey();
    const runner = await request(app).get('/api/tags').expect(401);
    expect(runner.body).toEqual({ error: expect.any(String) });
    expect(runner.headers['www-authenticate']).toMatch(/^Bearer realm="hearth"/);
    const completions = await request(app).get('/v1/models').expect(401);
    expect(completions.body.error).toMatchObject({ type: 'authentication_error', code: 'invalid_api_key' });
    const messages = await request(app).post('/alt/v1/messages').expect(401);
    expect(messages.body).toMatchObject({ type: 'error', error: { type: 'authentication_error' } });
    const alias = await request(app).post('/v1/messages').expect(401);
    expect(alias.body).toMatchObject({ type: 'error', error: { type: 'authentication_error' } });
  });

  test('a wrong key is a 401 and never echoed', async () => {
    const { app, logLines } = withKey();
    const response = await request(app).get('/api/tags').set('x-api-key', 'wrong-key-value').expect(401);
    expect(JSON.stringify([response.body, response.headers, logLines])).not.toContain('wrong-key-value');
  });

  test('only GET / and /healthz are open', async () => {
    const { app } = withKey();
    await request(app).get('/').expect(200, 'Hearth is running');
    await request(app).get('/healthz').expect(200, { status: 'ok' });
    await request(app).get('/readyz').expect(401);
    await request(app).get('/nowhere').expect(401);
  });
});

describe('with tokens that have scopes', () => {
  const withScopes = (...scopes: string[]) =>
    createTestApp({ verifier: { verify: async () => ({ id: 't1', scopes: new Set(scopes) }) } });

  test('one that may use models opens every family', async () => {
    const { app } = withScopes('models:use');
    await request(app).get('/api/tags').set('x-api-key', 'any').expect(200);
    await request(app).get('/v1/models').set('x-api-key', 'any').expect(200);
  });

  test('one made for something else is a 403 in the shape of the path family', async () => {
    const { app } = withScopes('secrets:read');
    const runner = await request(app).get('/api/tags').set('x-api-key', 'any').expect(403);
    expect(runner.body).toEqual({ error: expect.any(String) });
    expect(runner.headers['www-authenticate']).toContain('error="insufficient_scope"');
    const completions = await request(app).get('/v1/models').set('x-api-key', 'any').expect(403);
    expect(completions.body.error.type).toBe('permission_error');
    const messages = await request(app).post('/alt/v1/messages').set('x-api-key', 'any').expect(403);
    expect(messages.body.error.type).toBe('permission_error');
  });

  test('while the vault that checks them is away, nobody is let in and the reason is told', async () => {
    const { app } = createTestApp({ verifier: vaultTokenVerifier({ url: 'http://127.0.0.1:1' }) });
    const token = `sk-svc-${'a'.repeat(46)}`;
    const response = await request(app).get('/v1/models').set('authorization', `Bearer ${token}`).expect(502);
    expect(response.body.error.code).toBe('upstream_failed');
  });
});

describe('at the rim', () => {
  test('an unknown path is a 404 in the shape of its prefix', async () => {
    const { app } = createTestApp();
    expect((await request(app).get('/api/nope').expect(404)).body).toEqual({ error: expect.any(String) });
    expect((await request(app).get('/v1/nope').expect(404)).body.error.type).toBe('not_found_error');
    expect((await request(app).get('/alt/v1/nope').expect(404)).body.error.type).toBe('not_found_error');
  });

  test('a wrong method is a 405 that names the right ones', async () => {
    const { app } = createTestApp();
    const response = await request(app).delete('/api/tags').expect(405);
    expect(response.headers['allow']).toBe('GET, HEAD');
  });

  test('bad JSON is a 400 that does not repeat the body, in reply and log', async () => {
    const { app, logLines } = createTestApp();
    const response = await request(app)
      .post('/v1/chat/completions')
      .send('{"messages": "hunter2')
      .expect(400);
    expect(response.body.error.type).toBe('invalid_request_error');
    expect(JSON.stringify([response.body, logLines])).not.toContain('hunter2');
  });

  test('a body over the limit is a 413', async () => {
    const { app } = createTestApp({ maxBodyBytes: 100 });
    await request(app)
      .post('/v1/chat/completions')
      .send({ text: 'x'.repeat(200) })
      .expect(413);
  });

  test('an unexpected fault is a 500 without its text', async () => {
    const { app } = createTestApp({
      catalogue: new ModelCatalogue([
        { list: () => Promise.reject(new Error('ENOENT /home/ada/secret')), find: async () => undefined },
      ]),
    });
    const response = await request(app).get('/v1/models').expect(500);
    expect(response.body.error).toEqual({
      message: 'internal server error',
      type: 'server_error',
      param: null,
      code: null,
    });
  });

  test('every reply carries one request id in both header spellings, and the log line has it', async () => {
    const { app, logLines } = createTestApp();
    const response = await request(app).get('/api/tags?secret=1').expect(200);
    expect(response.headers['x-request-id']).toMatch(/^req_[0-9a-f]{24}$/);
    expect(response.headers['request-id']).toBe(response.headers['x-request-id']);
    const line = JSON.parse(logLines[0] as string);
    expect(line).toMatchObject({
      request_id: response.headers['x-request-id'],
      method: 'GET',
      path: '/api/tags',
      status: 200,
    });
  });

  test('readiness fails when a part cannot serve, and liveness does not', async () => {
    const { app } = createTestApp({ readiness: { models: () => Promise.reject(new Error('gone')) } });
    await request(app)
      .get('/readyz')
      .expect(503, { status: 'unavailable', checks: { models: 'failed' } });
    await request(app).get('/healthz').expect(200);
  });
});
