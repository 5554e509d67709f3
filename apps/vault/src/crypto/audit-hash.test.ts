import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { auditHash, canonicalJson } from './audit-hash.js';

test('canonical JSON does not depend on the order of keys', () => {
  expect(canonicalJson({ b: 1, a: [{ d: null, c: 'x' }] })).toBe('{"a":[{"c":"x","d":null}],"b":1}');
  expect(canonicalJson({ a: [{ c: 'x', d: null }], b: 1, e: undefined })).toBe(
    '{"a":[{"c":"x","d":null}],"b":1}',
  );
});

test('canonical JSON is JSON of the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('a link depends on the event and on everything before it', () => {
  const first = auditHash(null, { action: 'a' });
  const second = auditHash(first, { action: 'b' });
  expect(auditHash(first, { action: 'b' }).equals(second)).toBe(true);
  expect(auditHash(first, { action: 'c' }).equals(second)).toBe(false);
  expect(auditHash(auditHash(null, { action: 'x' }), { action: 'b' }).equals(second)).toBe(false);
});
