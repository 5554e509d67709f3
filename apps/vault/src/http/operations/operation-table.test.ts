import { describe, expect, test } from '@jest/globals';
import { VaultError } from '../../errors/vault-error.js';
import { defineOperation, type Operation } from './operation.js';
import { createOperationTable } from './operation-table.js';

function operation(method: Operation['method'], path: string): Operation {
  return defineOperation({
    id: `${method} ${path}`,
    method,
    path,
    tag: 'x',
    summary: 'x',
    access: { kind: 'public' },
    replies: {},
    handle: async () => ({ status: 204 }),
  });
}

const table = createOperationTable([
  operation('get', '/api/things'),
  operation('post', '/api/things'),
  operation('get', '/api/things/{thing_id}'),
  operation('post', '/api/things/batch'),
  operation('get', '/api/things/{thing_id}/parts/{name}'),
]);

const find = (method: string, path: string) => {
  const found = table.find(method, path);
  return found && [found.operation.id, { ...found.params }];
};

test.each<[string, string, string, Record<string, string>]>([
  ['GET', '/api/things', 'get /api/things', {}],
  ['HEAD', '/api/things', 'get /api/things', {}],
  ['POST', '/api/things', 'post /api/things', {}],
  ['GET', '/api/things/7', 'get /api/things/{thing_id}', { thing_id: '7' }],
  ['POST', '/api/things/batch', 'post /api/things/batch', {}],
  [
    'GET',
    '/api/things/a%2Fb/parts/%C3%A9',
    'get /api/things/{thing_id}/parts/{name}',
    { thing_id: 'a/b', name: 'é' },
  ],
  [
    'GET',
    '/api/things/batch/parts/x',
    'get /api/things/{thing_id}/parts/{name}',
    { thing_id: 'batch', name: 'x' },
  ],
])('%s %s is %s', (method, path, id, params) => {
  expect(find(method, path)).toEqual([id, params]);
});

test.each([
  '/api/things/',
  '/api/Things',
  '//api/things',
  '/api//things',
  '/api/things//parts/x',
  '/api/things/7/parts',
  '/api/things/7/parts/x/y',
  '/api/constructor',
  '/api/__proto__',
  '/api/{thing_id}',
  '/',
])('%s is no path of ours', (path) => {
  expect(find('GET', path)).toBeUndefined();
});

describe('a path that is ours', () => {
  const problemOf = (method: string, path: string) => {
    try {
      table.find(method, path);
    } catch (error) {
      if (error instanceof VaultError) return { code: error.code, allow: error.headers['allow'] };
      throw error;
    }
    throw new Error('nothing was wrong');
  };

  test.each(['DELETE', 'OPTIONS', 'PATCH'])('says which methods it has when asked with %s', (method) => {
    expect(problemOf(method, '/api/things')).toEqual({
      code: 'method_not_allowed',
      allow: 'HEAD, GET, POST',
    });
  });

  test('refuses a parameter that cannot be decoded', () => {
    expect(problemOf('GET', '/api/things/%zz')).toEqual({ code: 'invalid_request', allow: undefined });
  });
});
