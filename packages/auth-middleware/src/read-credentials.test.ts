import { expect, test } from '@jest/globals';
import { readCredentials } from './read-credentials.js';

const both = { forms: ['bearer', 'x-api-key'] } as const;

function read(rawHeaders: string[], options: Parameters<typeof readCredentials>[1] = both) {
  return readCredentials({ rawHeaders }, options);
}

test.each([['Bearer abc'], ['bearer abc'], ['BEARER abc']])('the scheme is read in any case: %s', (value) => {
  expect(read(['Authorization', value])).toEqual({ kind: 'tokens', tokens: ['abc'] });
});

test('no header at all is missing', () => {
  expect(read(['Host', 'x'])).toEqual({ kind: 'missing' });
});

test.each([
  ['Authorization', 'Bearer'],
  ['Authorization', 'Bearer '],
  ['Authorization', ''],
  ['Authorization', 'abc'],
  ['Authorization', 'Basic YTpi'],
  ['Authorization', 'Bearer a b'],
  ['Authorization', 'Bearer  a'],
  ['Authorization', 'Bearer\ta'],
  ['Authorization', 'Bearer a, Bearer b'],
  ['Authorization', `Bearer ${'a'.repeat(1025)}`],
  ['x-api-key', ''],
  ['x-api-key', 'a b'],
  ['x-api-key', 'a'.repeat(1025)],
])('%s: %s is malformed, not missing', (name, value) => {
  expect(read([name, value])).toMatchObject({ kind: 'malformed' });
});

test('the longest token that counts is the app’s choice', () => {
  const options = { ...both, maxTokenLength: 3 };
  expect(read(['Authorization', 'Bearer abc'], options)).toMatchObject({ kind: 'tokens' });
  expect(read(['Authorization', 'Bearer abcd'], options)).toMatchObject({ kind: 'malformed' });
});

test('tokens come in the order of the forms, and twice the same token is one', () => {
  const headers = ['X-Api-Key', 'key', 'Authorization', 'Bearer token'];
  expect(read(headers)).toEqual({ kind: 'tokens', tokens: ['token', 'key'] });
  expect(read(headers, { forms: ['x-api-key', 'bearer'] })).toEqual({
    kind: 'tokens',
    tokens: ['key', 'token'],
  });
  expect(read(['x-api-key', 'same', 'authorization', 'Bearer same'])).toEqual({
    kind: 'tokens',
    tokens: ['same'],
  });
});

test('a form that the app leaves out is as good as absent', () => {
  expect(read(['x-api-key', 'key'], { forms: ['bearer'] })).toEqual({ kind: 'missing' });
  expect(read(['Authorization', 'Bearer t'], { forms: ['x-api-key'] })).toEqual({ kind: 'missing' });
});

test('a well-formed token counts although the other header is malformed', () => {
  expect(read(['Authorization', 'Bearer', 'x-api-key', 'key'])).toEqual({ kind: 'tokens', tokens: ['key'] });
});

test.each([
  ['two Authorization headers', ['Authorization', 'Bearer a', 'authorization', 'Bearer b']],
  ['the same Authorization header twice', ['Authorization', 'Bearer a', 'Authorization', 'Bearer a']],
  [
    'two Authorization headers beside a key',
    ['x-api-key', 'k', 'Authorization', 'Bearer a', 'Authorization', 'Bearer b'],
  ],
  ['two x-api-key headers', ['x-api-key', 'a', 'X-API-Key', 'b']],
])('%s are refused', (_, headers) => {
  expect(read(headers)).toMatchObject({ kind: 'malformed' });
});

test('what is wrong is said without repeating what was sent', () => {
  const problem = JSON.stringify(read(['Authorization', 'Bearer my secret', 'x-api-key', 'other secret']));
  expect(problem).toContain('authorization');
  expect(problem).toContain('x-api-key');
  expect(problem).not.toContain('secret');
});
