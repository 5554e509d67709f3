import { expect, test } from '@jest/globals';
import { exactTime } from '../../lib/times.js';
import { factsOf } from './facts-of.js';

test('lists are told, moments are told as people write them, and what goes without saying is not', () => {
  const at = '2026-11-15T12:00:00.000Z';
  expect(
    factsOf({
      attempts: 3,
      first_at: at,
      addresses: ['10.0.0.1', '10.0.0.2'],
      path: '/',
      removed: 0,
      fields: [],
      nested: { not: 'told' },
      dry_run: true,
    }),
  ).toEqual(['attempts 3', `first at ${exactTime(at)}`, 'addresses 10.0.0.1, 10.0.0.2', 'dry run true']);
});
