import { expect, test } from '@jest/globals';
import { someNames } from './some-names.js';

test('a few names are all shown, of many the first, and none is lost from the count', () => {
  expect(someNames([])).toEqual({ shown: [], more: 0 });
  expect(someNames(['a', 'b', 'c', 'd', 'e', 'f'])).toEqual({
    shown: ['a', 'b', 'c', 'd', 'e', 'f'],
    more: 0,
  });
  expect(someNames(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toEqual({
    shown: ['a', 'b', 'c', 'd', 'e'],
    more: 2,
  });
});
