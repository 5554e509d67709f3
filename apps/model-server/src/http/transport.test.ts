import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { singleKeyVerifier } from '@hearth/auth-middleware/single-key-verifier';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createTestApp } from '../../test/create-test-app.js';

describe('pages of other origins', () => {
  const { app } = createTestApp({ origins: ['https://chat.example', 'chrome-extension://*'] });

  test.each([
    'http://localhost:5173',
    'https://127.0.0.1:8443',
    'http://[::1]:3000',
    'http://app.localhost',
    'app://obsidian.md',
    'file://',
    'vscode-webview://1a2b',
    'https://chat.example',
    'chrome-extension://abcdef',
  ])('%s may call, and read the headers it needs', async (origin) => {
    const response = await request(app).get('/v1/models').set('origin', origin).expect(200);
    expect(response.headers['access-control-allow-origin']).toBe(origin);
    expect(response.headers['access-control-expose-headers']).toBe(
      'request-id, x-request-id, retry-after, hearth-left-to-server',
    );
    expect(response.headers['vary']).toContain('Origin');
  });

  test.each([
    'https://evil.example',
    'https://chat.example.evil.example',
    'http://localhost.evil.example',
    'null',
  ])('%s may not, with or without a preflight', async (origin) => {
    const response = await request(app)
      .post('/api/generate')
      .set('origin', origin)
      .set('content-type', 'text/plain')
      .send('{"model":"ember","prompt":"Hi"}')
      .expect(403);
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
    expect(response.body).toEqual({ error: expect.stringContaining('HEARTH_ORIGINS') });
    await request(app).options('/api/generate').set('origin', origin).expect(403);
  });

  test('a page that this server sent may call it, whatever its name', async () => {
    const host = 'models.example:11434';
    await request(app).get('/api/tags').set('host', host).set('origin', `http://${host}`).expect(200);
  });

  test('a preflight needs no key and allows every header that a client library asks for', async () => {
    const locked = createTestApp({ verifier: singleKeyVerifier('sesame') }).app;
    const asked =
      'x-api-key,anthropic-version,anthropic-dangerous-direct-browser-access,x-stainless-lang,authorization';
    const response = await request(locked)
      .options('/alt/v1/messages')
      .set('origin', 'http://localhost:5173')
      .set('access-control-request-method', 'POST')
      .set('access-control-request-headers', asked)
      .set('access-control-request-private-network', 'true')
      .expect(204);
    expect(response.headers['access-control-allow-headers']).toBe(asked);
    expect(response.headers['access-control-allow-methods']).toContain('DELETE');
    expect(response.headers['access-control-allow-private-network']).toBe('true');
    const refused = await request(locked).get('/api/tags').set('origin', 'http://localhost:5173').expect(401);
    expect(refused.headers['access-control-allow-origin']).toBe('http://localhost:5173');
  });

  test('a star allows every page', async () => {
    const open = createTestApp({ origins: ['*'] }).app;
    await request(open).get('/api/tags').set('origin', 'https://anyone.example').expect(200);
  });
});

describe('the Host of a server on loopback', () => {
  const { app } = createTestApp({ checkHost: true, origins: ['https://chat.example'] });

  test.each([
    'localhost:11434',
    'LOCALHOST',
    '127.0.0.1:11434',
    '[::1]:11434',
    '192.168.1.5',
    'my.local',
    'host.docker.internal:11434',
    'chat.example',
  ])('may be %s', async (host) => {
    await request(app).get('/api/tags').set('host', host).expect(200);
  });

  test.each(['evil.example', 'evil.example:11434', 'localhost.evil.example', 'a b', ''])(
    'may not be %j, in the shape of the path family',
    async (host) => {
      const runner = await request(app).get('/api/tags').set('host', host);
      // Node itself refuses a Host that cannot be one.
      expect([400, 403]).toContain(runner.status);
      if (runner.status === 403) expect(runner.body).toEqual({ error: expect.any(String) });
    },
  );

  test('a rebound name cannot even ask whether something runs here', async () => {
    const response = await request(app).get('/alt/v1/models').set('host', 'evil.example').expect(403);
    expect(response.body).toMatchObject({ type: 'error', error: { type: 'permission_error' } });
    await request(app).get('/').set('host', 'evil.example').expect(403);
  });

  test('is not asked where the server is open to the network', async () => {
    await request(createTestApp().app).get('/api/tags').set('host', 'gpu-box.example').expect(200);
  });
});

describe('bodies', () => {
  const { app } = createTestApp({ maxBodyBytes: 10_000 });
  const body = Buffer.from(JSON.stringify({ model: 'ember', prompt: 'Hi', stream: false }));
  const post = (encoding: string, bytes: Buffer) => {
    const sent = request(app).post('/api/generate').set('content-encoding', encoding);
    sent.write(bytes);
    return sent;
  };

  test.each([
    ['gzip', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['br', brotliCompressSync(body)],
    ['identity', body],
  ])('may come as %s', async (encoding, bytes) => {
    await post(encoding, bytes).expect(200);
  });

  test('in any other encoding are a 415', async () => {
    const response = await post('zstd-of-the-future', body).expect(415);
    expect(response.body).toEqual({ error: expect.any(String) });
  });

  test('that do not unpack are a 400, and those that unpack to too much a 413', async () => {
    await post('gzip', Buffer.from('not gzip at all')).expect(400);
    await post('gzip', gzipSync(Buffer.alloc(1_000_000, 32))).expect(413);
  });

  test.each(['null', '3', '"text"', '[]', 'true'])('%s is JSON but no request: 400', async (text) => {
    const response = await request(app).post('/api/chat').send(text).expect(400);
    expect(response.body).toEqual({ error: 'the request body must be an object' });
  });

  test.each([
    ['/api/chat', '{"model":"ember","messages":[{"role":"user","content":"Hi"}],"format":NESTED}'],
    ['/alt/v1/messages', '{"model":"ember","messages":[{"role":"user","content":"Hi"}],"metadata":NESTED}'],
  ])('nested deeper than anything could walk through are a 400 at %s', async (path, body) => {
    const nested = (depth: number) => body.replace('NESTED', `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
    const { text } = await request(app).post(path).send(nested(1500)).expect(400);
    expect(text).toContain('nested deeper than 128 levels');
    await request(app).post(path).send(nested(100)).expect(200);
  });

  test('replies are never stored and never packed', async () => {
    const response = await request(app).get('/api/tags').set('accept-encoding', 'gzip, br').expect(200);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.headers).not.toHaveProperty('content-encoding');
  });
});
