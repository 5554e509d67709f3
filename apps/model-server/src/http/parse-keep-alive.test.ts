import { expect, test } from '@jest/globals';
import { parseKeepAlive } from './parse-keep-alive.js';

test.each([
  [300, { seconds: 300 }],
  [0, { seconds: 0 }],
  [-1, 'forever'],
  ['5m', { seconds: 300 }],
  ['1h30m', { seconds: 5400 }],
  ['1.5s', { seconds: 1.5 }],
  ['250ms', { seconds: 0.25 }],
  ['0', { seconds: 0 }],
  ['-1m', 'forever'],
] as const)('keep_alive %p is %p', (value, expected) => {
  expect(parseKeepAlive(value)).toEqual(expected);
});
