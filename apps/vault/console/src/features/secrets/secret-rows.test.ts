import type { SecretMessage } from '@hearth/protocol-types/vault/secret';
import { describe, expect, test } from '@jest/globals';
import { filterRows, toRows } from './secret-rows.js';

function secret(key: string, environment: string, more: Partial<SecretMessage> = {}): SecretMessage {
  const at = '2026-01-01T00:00:00.000Z';
  return {
    id: `${environment}-${key}`,
    key,
    environment,
    path: '/',
    version: 1,
    note: null,
    tags: [],
    expires_at: null,
    created_at: at,
    updated_at: at,
    ...more,
  };
}

const rows = toRows([
  secret('B_KEY', 'dev'),
  secret('A_KEY', 'dev', { note: 'billing' }),
  secret('A_KEY', 'prod', { tags: ['payments'] }),
  secret('A_KEY', 'dev', { path: '/web/' }),
]);
const all = { text: '', onlyGaps: false, environments: ['dev', 'prod'] };

describe('the rows of the grid', () => {
  test('hold one row a key and folder, in order, with a cell for each environment that has it', () => {
    expect(rows.map(({ path, key, cells }) => [path, key, [...cells.keys()]])).toEqual([
      ['/', 'A_KEY', ['dev', 'prod']],
      ['/', 'B_KEY', ['dev']],
      ['/web/', 'A_KEY', ['dev']],
    ]);
  });

  test.each([
    ['a_key', ['/', '/web/']],
    ['KEY web', ['/web/']],
    ['billing', ['/']],
    ['payments', ['/']],
    ['nothing', []],
  ])('search %p finds every word in key, folder, note or tag', (text, paths) => {
    expect(filterRows(rows, { ...all, text }).map(({ path }) => path)).toEqual(paths);
  });

  test('can be narrowed to keys that some environment lacks', () => {
    expect(filterRows(rows, { ...all, onlyGaps: true }).map(({ id }) => id)).toEqual([
      '/B_KEY',
      '/web/A_KEY',
    ]);
  });
});
