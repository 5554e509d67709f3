import { expect, test } from '@jest/globals';
import { toKeepAlive } from './to-keep-alive.js';

test.each([
  [300, { seconds: 300 }],
  [0, { seconds: 0 }],
  ['0', { seconds: 0 }],
  ['5m', { seconds: 300 }],
  ['1h30m', { seconds: 5400 }],
  ['300ms', { seconds: 0.3 }],
  ['1.5h', { seconds: 5400 }],
  ['+2s', { seconds: 2 }],
  [-1, 'forever'],
  ['-1m', 'forever'],
  [null, undefined],
  [undefined, undefined],
])('%j keeps a model for %j', (wire, meaning) => {
  expect(toKeepAlive(wire)).toEqual(meaning);
});
