import { describe, expect, test } from '@jest/globals';
import { type DiffPart, diffValues } from './value-diff.js';

const sideOf = (parts: readonly DiffPart[], kind: 'removed' | 'added') =>
  parts
    .filter((part) => part.kind === 'same' || part.kind === kind)
    .map(({ text }) => text)
    .join('');

describe('the difference of two values', () => {
  test('names just the changed characters of one line', () => {
    expect(diffValues('postgres://db-1/app', 'postgres://db-2/app').parts).toEqual([
      { kind: 'same', text: 'postgres://db-' },
      { kind: 'removed', text: '1' },
      { kind: 'added', text: '2' },
      { kind: 'same', text: '/app' },
    ]);
  });

  test('does not break a changed word at a letter that both happen to hold', () => {
    expect(diffValues('app:other@db', 'app:new@db').parts).toEqual([
      { kind: 'same', text: 'app:' },
      { kind: 'removed', text: 'other' },
      { kind: 'added', text: 'new' },
      { kind: 'same', text: '@db' },
    ]);
  });

  test('goes by whole lines where a value has several', () => {
    const { byLine, parts } = diffValues('one\ntwo\nthree', 'one\n2\nthree');
    expect(byLine).toBe(true);
    expect(parts.map(({ kind, text }) => [kind, text])).toEqual([
      ['same', 'one\n'],
      ['removed', 'two\n'],
      ['added', '2\n'],
      ['same', 'three'],
    ]);
  });

  test.each([
    ['', 'new'],
    ['old', ''],
    ['same', 'same'],
    ['abcabc', 'bcabca'],
    ['é𝒳ż', 'e𝒳z'],
    ['x'.repeat(3000), 'y'.repeat(3000)],
  ])('loses nothing of either side (case %#)', (before, after) => {
    const { parts } = diffValues(before, after);
    expect(sideOf(parts, 'removed')).toBe(before);
    expect(sideOf(parts, 'added')).toBe(after);
  });
});
