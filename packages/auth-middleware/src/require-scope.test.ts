import { expect, test } from '@jest/globals';
import express, { type ErrorRequestHandler, type Express } from 'express';
import supertest from 'supertest';
import { AuthenticationError, AuthorizationError } from './auth-errors.js';
import { requireScope } from './require-scope.js';

function createApp(held: readonly string[] | undefined, scopes: readonly [string, ...string[]]): Express {
  const app = express();
  app.use((request, _response, next) => {
    if (held !== undefined) request.principal = { id: 'someone', scopes: new Set(held) };
    next();
  });
  app.get('/', requireScope({ scopes, realm: 'test' }), (_request, response) => {
    response.end('in');
  });
  const renderError: ErrorRequestHandler = (error, _request, response, _next) => {
    if (error instanceof AuthorizationError) {
      response.status(403).setHeader('WWW-Authenticate', error.wwwAuthenticate);
      response.json({ message: error.message, required: error.requiredScopes });
    } else if (error instanceof AuthenticationError) {
      response.status(401).json({ reason: error.reason });
    } else {
      response.status(500).end();
    }
  };
  app.use(renderError);
  return app;
}

test('who holds the scope passes', async () => {
  await supertest(createApp(['other', 'secrets:read'], ['secrets:read']))
    .get('/')
    .expect(200);
});

test('* holds every scope', async () => {
  await supertest(createApp(['*'], ['secrets:read', 'secrets:write']))
    .get('/')
    .expect(200);
});

test('all of the scopes are needed, and the refusal names them', async () => {
  const reply = await supertest(createApp(['a:read'], ['a:read', 'b:read'])).get('/');
  expect(reply.status).toBe(403);
  expect(reply.body.required).toEqual(['a:read', 'b:read']);
  expect(reply.body.message).toContain('a:read, b:read');
  expect(reply.headers['www-authenticate']).toBe(
    'Bearer realm="test", error="insufficient_scope", scope="a:read b:read"',
  );
});

test.each([['secrets:*'], ['secrets'], ['SECRETS:READ'], ['secrets:read2']])(
  '%s is not secrets:read',
  async (held) => {
    await supertest(createApp([held], ['secrets:read']))
      .get('/')
      .expect(403);
  },
);

test('without a principal nobody passes', async () => {
  const reply = await supertest(createApp(undefined, ['secrets:read'])).get('/');
  expect(reply.status).toBe(401);
  expect(reply.body).toEqual({ reason: 'missing' });
});

test('a realm with quotes stays one quoted string', () => {
  const error = new AuthenticationError('missing', 'a "b" \\c', 'x');
  expect(error.wwwAuthenticate).toBe('Bearer realm="a \\"b\\" \\\\c"');
});
