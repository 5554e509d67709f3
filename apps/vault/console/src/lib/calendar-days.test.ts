import { expect, test } from '@jest/globals';
import { dayOf, edgeOfDay } from './calendar-days.js';

test.each(['2026-01-01', '2026-03-29', '2026-10-25', '2028-02-29'])(
  'both edges of %s lie in that day, the last one later',
  (day) => {
    const first = edgeOfDay(day, 'first');
    const last = edgeOfDay(day, 'last');
    expect([dayOf(first), dayOf(last)]).toEqual([day, day]);
    expect(Date.parse(last)).toBeGreaterThan(Date.parse(first));
  },
);

test('no day has no edge', () => {
  expect(edgeOfDay('', 'first')).toBe('');
});
