import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readCursor, writeCursor } from './cursor.js';

const key = randomBytes(32);
const position = fc.array(fc.oneof(fc.string({ maxLength: 60 }), fc.integer()), { maxLength: 4 });

test('a cursor gives back its position to the list that made it, and to no other', () => {
  fc.assert(
    fc.property(
      position,
      fc.string({ maxLength: 20 }),
      fc.string({ maxLength: 20 }),
      (where, list, other) => {
        const cursor = writeCursor(key, list, where);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(readCursor(key, list, cursor)).toEqual(where);
        if (other !== list) expect(readCursor(key, other, cursor)).toBeUndefined();
        expect(readCursor(randomBytes(32), list, cursor)).toBeUndefined();
      },
    ),
  );
});

test('a cursor changed in any character is refused', () => {
  const cursor = writeCursor(key, 'audit', ['2026-01-01T00:00:00.000Z', 42]);
  for (let place = 0; place < cursor.length; place += 1) {
    for (const character of 'Az09-_') {
      const changed = cursor.slice(0, place) + character + cursor.slice(place + 1);
      if (changed !== cursor) expect(readCursor(key, 'audit', changed)).toBeUndefined();
    }
  }
});

test('arbitrary text is refused without an exception', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      expect(readCursor(key, 'audit', text)).toBeUndefined();
    }),
  );
});
