import { expect, test } from '@jest/globals';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import supertest from 'supertest';
import { inOrder, type Step } from './in-order.js';

const note =
  (name: string): RequestHandler =>
  (_request, response, next) => {
    response.append('x-passed', name);
    next();
  };

function appOf(steps: readonly Step[]) {
  const app = express();
  app.use(inOrder(steps));
  app.use((request, response) => {
    response.append('x-passed', `end at ${request.url}`).end();
  });
  const renderError: ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(500).end(String(error));
  };
  app.use(renderError);
  return supertest(app);
}

test.each([
  ['/', 'all, end at /'],
  ['/api', 'all, api, end at /api'],
  ['/api/', 'all, api, end at /api/'],
  ['/API/Secrets/x?y=/auth', 'all, api, secrets, end at /API/Secrets/x?y=/auth'],
  ['/apis/secrets', 'all, end at /apis/secrets'],
  ['/x/api/secrets', 'all, end at /x/api/secrets'],
])('%s meets the handlers of its path in their order, and its URL stays whole', async (path, passed) => {
  const app = appOf([
    { under: '/', handle: note('all') },
    { under: '/api', handle: note('api') },
    { under: '/api/secrets', handle: note('secrets') },
    { under: '/auth', handle: note('auth') },
  ]);
  expect((await app.get(path).expect(200)).headers['x-passed']).toBe(passed);
});

test.each<[string, RequestHandler]>([
  [
    'thrown',
    () => {
      throw new Error('no');
    },
  ],
  ['passed on', (_request, _response, next) => next(new Error('no'))],
  [
    'thrown later',
    async () => {
      await Promise.resolve();
      throw new Error('no');
    },
  ],
])('an error %s ends the request, and no later handler runs', async (_how, handle) => {
  let reached = false;
  const after: RequestHandler = (_request, _response, next) => {
    reached = true;
    next();
  };
  const reply = await appOf([
    { under: '/', handle },
    { under: '/', handle: after },
  ]).get('/');
  expect(reply.status).toBe(500);
  expect(reply.text).toBe('Error: no');
  expect(reached).toBe(false);
});

test('a handler that answers keeps the request from those behind it', async () => {
  const answer: RequestHandler = (_request, response) => {
    response.end('enough');
  };
  const reply = await appOf([
    { under: '/', handle: answer },
    { under: '/', handle: note('late') },
  ]).get('/');
  expect(reply.text).toBe('enough');
  expect(reply.headers).not.toHaveProperty('x-passed');
});
