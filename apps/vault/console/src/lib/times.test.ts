import { describe, expect, test } from '@jest/globals';
import { daysUntil, relativeTime } from './times.js';

const now = Date.parse('2026-11-15T12:00:00.000Z');
const after = (seconds: number) => new Date(now + seconds * 1000).toISOString();
const day = 86_400;

describe('a moment in words', () => {
  test.each([
    [-5, 'just now'],
    [20, 'in a moment'],
    [-120, '2 minutes ago'],
    [-day, 'yesterday'],
    [89 * day, 'in 89 days'],
    [90 * day - 1, 'in 90 days'],
    [200 * day, 'in 6 months'],
    [-800 * day, '2 years ago'],
  ])('%d seconds from now is %s', (seconds, words) => {
    expect(relativeTime(after(seconds), now)).toBe(words);
  });

  test('days until an end are whole days', () => {
    expect(daysUntil(after(14 * day - 1), now)).toBe(13);
    expect(daysUntil(after(-1), now)).toBe(-1);
  });
});
