import { expect, test } from '@jest/globals';
import { formatDuration, formatRelativeTime, formatTable } from './format.js';

const now = new Date('2026-11-01T12:00:00Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

test.each([
  [0, 'now'],
  [-59, '59 seconds ago'],
  [-60, '1 minute ago'],
  [-3 * 86_400, '3 days ago'],
  [300, '5 minutes from now'],
  [290 * 365 * 86_400, 'forever'],
])('%d seconds away reads "%s"', (seconds, text) => {
  expect(formatRelativeTime(later(seconds), now)).toBe(text);
});

test('durations and tables', () => {
  expect([7, 192, 3900].map(formatDuration)).toEqual(['7s', '3m12s', '1h05m']);
  expect(formatTable(['A', 'B'], [['long', 'x']])).toBe('A       B\nlong    x\n');
});
