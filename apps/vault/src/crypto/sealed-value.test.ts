import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { blindIndex, sameIndex } from './blind-index.js';
import { makeDataKey, unwrapDataKey, wrapDataKey, wrappedDataKeyBytes } from './data-key.js';
import { deriveKeys } from './derive-keys.js';
import { makeMasterKey } from './master-key.js';
import { UnsealError } from './sealed-box.js';
import { openValue, type PlainValue, sealValue, type ValuePlace, valueEncodings } from './sealed-value.js';

const place: ValuePlace = {
  vaultId: randomUUID(),
  secretId: randomUUID(),
  version: 7,
  vaultKeyId: randomUUID(),
};

const plainValue: fc.Arbitrary<PlainValue> = fc.record({
  bytes: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  encoding: fc.constantFrom(...valueEncodings),
});

test('whatever is sealed opens to the same bytes and encoding in its own place', () => {
  const key = makeDataKey();
  fc.assert(
    fc.property(plainValue, (value) => {
      const opened = openValue(key, sealValue(key, value, place), place);
      expect(opened.bytes.equals(value.bytes)).toBe(true);
      expect(opened.encoding).toBe(value.encoding);
    }),
  );
});

test.each([
  ['vault', { ...place, vaultId: randomUUID() }],
  ['secret', { ...place, secretId: randomUUID() }],
  ['version', { ...place, version: 8 }],
  ['key', { ...place, vaultKeyId: randomUUID() }],
])('a sealed value moved to another %s does not open', (_name, elsewhere) => {
  const key = makeDataKey();
  const blob = sealValue(key, { bytes: Buffer.from('x'), encoding: 'utf8' }, place);
  expect(() => openValue(key, blob, elsewhere)).toThrow(UnsealError);
});

test('a change of any single bit is noticed', () => {
  const key = makeDataKey();
  const blob = sealValue(key, { bytes: Buffer.from('hunter2'), encoding: 'utf8' }, place);
  for (let bit = 0; bit < blob.length * 8; bit += 1) {
    const changed = Buffer.from(blob);
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
    expect(() => openValue(key, changed, place)).toThrow(UnsealError);
  }
});

test('a cut blob does not open, down to a tag of four bytes', () => {
  const key = makeDataKey();
  const blob = sealValue(key, { bytes: Buffer.from('hunter2'), encoding: 'utf8' }, place);
  for (let length = 0; length < blob.length; length += 1) {
    expect(() => openValue(key, blob.subarray(0, length), place)).toThrow(UnsealError);
  }
});

test('a ciphertext tells the length of its value to within 32 bytes only', () => {
  const key = makeDataKey();
  const lengths = [0, 1, 20, 27].map(
    (length) => sealValue(key, { bytes: Buffer.alloc(length), encoding: 'utf8' }, place).length,
  );
  expect(new Set(lengths)).toEqual(new Set([61]));
  expect(sealValue(key, { bytes: Buffer.alloc(28), encoding: 'utf8' }, place).length).toBe(93);
});

test('the same value never seals to the same bytes', () => {
  const key = makeDataKey();
  const value: PlainValue = { bytes: Buffer.from('same'), encoding: 'utf8' };
  expect(sealValue(key, value, place).equals(sealValue(key, value, place))).toBe(false);
});

test('a blind index is equal exactly for equal values under one key', () => {
  const key = makeDataKey();
  fc.assert(
    fc.property(plainValue, plainValue, (one, other) => {
      const equal = one.bytes.equals(other.bytes) && one.encoding === other.encoding;
      expect(sameIndex(blindIndex(key, one), blindIndex(key, other))).toBe(equal);
      expect(sameIndex(blindIndex(key, one), blindIndex(key, one))).toBe(true);
      expect(sameIndex(blindIndex(key, one), blindIndex(makeDataKey(), one))).toBe(false);
    }),
  );
});

test('a wrapped data key opens only with its master key, in its vault and version', () => {
  const keys = deriveKeys(makeMasterKey());
  const where = { vaultId: randomUUID(), version: 1, masterKeyId: keys.id };
  const dataKey = makeDataKey();
  const wrapped = wrapDataKey(keys.wrap, dataKey, where);
  expect(wrapped.length).toBe(wrappedDataKeyBytes);
  expect(unwrapDataKey(keys.wrap, wrapped, where).equals(dataKey)).toBe(true);
  const other = deriveKeys(makeMasterKey());
  expect(() => unwrapDataKey(other.wrap, wrapped, where)).toThrow(UnsealError);
  expect(() => unwrapDataKey(keys.wrap, wrapped, { ...where, vaultId: randomUUID() })).toThrow(UnsealError);
  expect(() => unwrapDataKey(keys.wrap, wrapped, { ...where, version: 2 })).toThrow(UnsealError);
  expect(() => unwrapDataKey(keys.wrap, wrapped, { ...where, masterKeyId: other.id })).toThrow(UnsealError);
});
