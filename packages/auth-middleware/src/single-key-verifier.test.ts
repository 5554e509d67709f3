import { expect, test } from '@jest/globals';
import { singleKeyVerifier } from './single-key-verifier.js';

test('the key opens everything', async () => {
  const principal = await singleKeyVerifier('hunter2-key').verify('hunter2-key');
  expect(principal?.scopes).toEqual(new Set(['*']));
});

// timingSafeEqual throws on inputs of different length, so these also show that digests are compared, not the texts.
test.each([
  [''],
  ['h'],
  ['hunter2-ke'],
  ['hunter2-keY'],
  ['hunter2-key2'],
  ['hunter2-key\0'],
  ['x'.repeat(5000)],
])('any other token opens nothing, whatever its length: %#', async (token) => {
  expect(await singleKeyVerifier('hunter2-key').verify(token)).toBeNull();
});

test('the principal is the app’s choice', async () => {
  const principal = { id: 'operator', scopes: new Set(['models:read']) };
  expect(await singleKeyVerifier('k', principal).verify('k')).toBe(principal);
});

test.each([[''], ['has space'], ['schlüssel'], ['line\nbreak'], ['k'.repeat(1025)]])(
  'a key that no header can carry is refused at once, without being shown: %#',
  (key) => {
    expect(() => singleKeyVerifier(key)).toThrow(RangeError);
    if (key !== '') expect(() => singleKeyVerifier(key)).not.toThrow(key);
  },
);
