import { expect, test } from '@jest/globals';
import { safeReturnTo } from './return-to.js';

const publicUrl = 'https://vault.example.com';

test.each(['/', '/secrets/tokens', '/secrets?q=a&b=c#d', '/%2F%2Fevil.example'])('keeps %s', (path) => {
  expect(safeReturnTo(path, publicUrl)).toBe(path);
});

test.each([
  undefined,
  ['/a', '/b'],
  '',
  'secrets',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '/auth/github',
  '/x/../auth/github',
  '/api/session',
  `/${'x'.repeat(600)}`,
])('leads to the start page instead of %p', (wanted) => {
  expect(safeReturnTo(wanted, publicUrl)).toBe('/');
});
