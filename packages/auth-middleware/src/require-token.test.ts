import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import express, { type ErrorRequestHandler, type Express } from 'express';
import supertest from 'supertest';
import { AuthenticationError } from './auth-errors.js';
import type { CredentialForm } from './read-credentials.js';
import { requireToken } from './require-token.js';
import { singleKeyVerifier } from './single-key-verifier.js';
import type { TokenVerifier } from './token-verifier.js';

const key = 'the-right-key';

function createApp(
  verifier: TokenVerifier = singleKeyVerifier(key),
  forms: readonly CredentialForm[] = ['bearer', 'x-api-key'],
): Express {
  const app = express();
  app.use(requireToken({ verifier, forms, realm: 'test' }));
  app.get('/', (request, response) => {
    response.json({ id: request.principal?.id });
  });
  const renderError: ErrorRequestHandler = (error, _request, response, _next) => {
    if (error instanceof AuthenticationError) {
      response.status(401).setHeader('WWW-Authenticate', error.wwwAuthenticate);
      response.json({ reason: error.reason, message: error.message });
    } else {
      response.status(500).json({ message: String(error) });
    }
  };
  app.use(renderError);
  return app;
}

test('a valid bearer token passes and names its principal', async () => {
  const reply = await supertest(createApp()).get('/').set('Authorization', `Bearer ${key}`);
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({ id: 'api-key' });
});

test('a valid x-api-key passes', async () => {
  await supertest(createApp()).get('/').set('x-api-key', key).expect(200);
});

test('both headers sent: one that holds is enough, whichever it is', async () => {
  const client = supertest(createApp());
  await client.get('/').set('Authorization', `Bearer ${key}`).set('x-api-key', 'dummy').expect(200);
  await client.get('/').set('Authorization', 'Bearer dummy').set('x-api-key', key).expect(200);
  await client.get('/').set('Authorization', 'Bearer dummy').set('x-api-key', 'dummy2').expect(401);
});

test('without credentials the challenge names the realm and no error', async () => {
  const reply = await supertest(createApp()).get('/');
  expect(reply.status).toBe(401);
  expect(reply.body).toMatchObject({ reason: 'missing' });
  expect(reply.body.message).toContain('Authorization: Bearer <token>');
  expect(reply.headers['www-authenticate']).toBe('Bearer realm="test"');
});

test('malformed credentials are an invalid request', async () => {
  const reply = await supertest(createApp()).get('/').set('Authorization', `Bearer ${key} ${key}`);
  expect(reply.body).toMatchObject({ reason: 'malformed' });
  expect(reply.headers['www-authenticate']).toBe('Bearer realm="test", error="invalid_request"');
  expect(reply.text).not.toContain(key);
});

test('a wrong token is an invalid token, and is not repeated in the answer', async () => {
  const reply = await supertest(createApp()).get('/').set('Authorization', 'Bearer the-wrong-key');
  expect(reply.status).toBe(401);
  expect(reply.body).toMatchObject({ reason: 'invalid' });
  expect(reply.headers['www-authenticate']).toBe('Bearer realm="test", error="invalid_token"');
  expect(reply.text).not.toContain('the-wrong-key');
});

test('a key in the query or in a cookie is ignored', async () => {
  const reply = await supertest(createApp())
    .get(`/?api_key=${key}&access_token=${key}&key=${key}&token=${key}`)
    .set('Cookie', `access_token=${key}`);
  expect(reply.status).toBe(401);
  expect(reply.body).toMatchObject({ reason: 'missing' });
});

test('a form that the app left out does not count', async () => {
  const reply = await supertest(createApp(singleKeyVerifier(key), ['bearer']))
    .get('/')
    .set('x-api-key', key);
  expect(reply.status).toBe(401);
  expect(reply.body.message).not.toContain('x-api-key');
});

test.each([
  ['the right one first', [`Bearer ${key}`, 'Bearer other']],
  ['the right one last', ['Bearer other', `Bearer ${key}`]],
  ['the right one twice', [`Bearer ${key}`, `Bearer ${key}`]],
])('two Authorization headers on the wire are refused: %s', async (_, values) => {
  const server = createApp().listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const headers = ['Host', 'localhost', ...values.flatMap((value) => ['Authorization', value])];
    const outgoing = httpRequest({ port, host: '127.0.0.1', headers, agent: false }).end();
    const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
    reply.resume();
    expect(reply.statusCode).toBe(401);
    expect(reply.headers['www-authenticate']).toContain('invalid_request');
  } finally {
    server.close();
  }
});

test('a verifier that throws lets nobody in, and its error reaches the app', async () => {
  const verifier: TokenVerifier = {
    verify: async () => {
      throw new Error('store is down');
    },
  };
  const reply = await supertest(createApp(verifier)).get('/').set('Authorization', `Bearer ${key}`);
  expect(reply.status).toBe(500);
  expect(reply.body.message).toContain('store is down');
});

test('the verifier learns the caller’s address', async () => {
  const addresses: unknown[] = [];
  const verifier: TokenVerifier = {
    verify: async (_token, context) => {
      addresses.push(context?.ip);
      return null;
    },
  };
  await supertest(createApp(verifier)).get('/').set('x-api-key', key).expect(401);
  expect(addresses).toEqual([expect.stringMatching(/127\.0\.0\.1$|^::1$/)]);
});
