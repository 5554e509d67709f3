import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hashToken, isWellFormedToken, mintToken } from './api-token.js';

test('a minted token has the prefix of the specification, 53 characters and a hint from its random part', () => {
  const token = mintToken();
  expect(token.value).toMatch(/^sk-svc-[0-9A-Za-z]{46}$/);
  expect(token.value.slice(43, 47)).toBe(token.lastFour);
  expect(isWellFormedToken(token.value)).toBe(true);
});

test('what is stored is the SHA-256 of the whole token', () => {
  const token = mintToken();
  expect(token.hash.equals(createHash('sha256').update(token.value).digest())).toBe(true);
  expect(hashToken(token.value).equals(token.hash)).toBe(true);
});

test('two thousand tokens differ and use the whole alphabet', () => {
  const tokens = Array.from({ length: 2000 }, () => mintToken().value);
  expect(new Set(tokens).size).toBe(2000);
  expect(new Set(tokens.map((token) => token.slice(7, 47)).join('')).size).toBe(62);
});

test('one wrong character anywhere is noticed before the database is asked', () => {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_ ';
  fc.assert(
    fc.property(fc.nat(52), fc.constantFrom(...alphabet), (place, character) => {
      const { value } = mintToken();
      const typed = value.slice(0, place) + character + value.slice(place + 1);
      expect(isWellFormedToken(typed)).toBe(typed === value);
    }),
  );
});

test('arbitrary text is refused', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => !isWellFormedToken(text)));
  expect(isWellFormedToken(`${mintToken().value}\n`)).toBe(false);
  expect(isWellFormedToken(` ${mintToken().value}`)).toBe(false);
});
