import { describe, expect, test } from '@jest/globals';
import { folderIn, foldersIn, foldersOf, folderText, lastName, trailOf } from './folders.js';
import type { SecretRow } from './secret-rows.js';

const rows = ['/', '/a/', '/a/', '/a/b/', '/a/b/c/', '/z/'].map(
  (path, index) => ({ path, key: `K${index}` }) as SecretRow,
);

describe('folders', () => {
  test.each([
    ['', '/'],
    ['/', '/'],
    ['payments', '/payments/'],
    [' /payments/eu ', '/payments/eu/'],
    ['a//b', '/a/b/'],
  ])('%p is the folder %p', (text, path) => {
    expect(folderIn(text)).toBe(path);
    expect(folderIn(folderText(path))).toBe(path);
  });

  test('have a way down to them', () => {
    expect(trailOf('/')).toEqual(['/']);
    expect(trailOf('/a/b/')).toEqual(['/', '/a/', '/a/b/']);
    expect(lastName('/a/b/')).toBe('b');
  });

  test('are those that hold keys, and show how many lie below each', () => {
    expect(foldersOf(rows)).toEqual(['/', '/a/', '/a/b/', '/a/b/c/', '/z/']);
    expect(foldersIn(rows, '/')).toEqual([
      { path: '/a/', name: 'a', keys: 4 },
      { path: '/z/', name: 'z', keys: 1 },
    ]);
    expect(foldersIn(rows, '/a/')).toEqual([{ path: '/a/b/', name: 'b', keys: 2 }]);
    expect(foldersIn(rows, '/z/')).toEqual([]);
    const many = ['/s-10/', '/s-2/'].map((path) => ({ path, key: 'K' }) as SecretRow);
    expect(foldersIn(many, '/').map(({ name }) => name)).toEqual(['s-2', 's-10']);
  });
});
