import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createStopStringMatcher } from './stop-strings.js';

function run(pieces: readonly string[], stops: readonly string[]): { text: string; matched?: string } {
  const matcher = createStopStringMatcher(stops);
  let text = '';
  for (const piece of pieces) {
    const result = matcher.push(piece);
    text += result.text;
    if (result.matched !== undefined) return { text, matched: result.matched };
  }
  return { text: text + matcher.finish() };
}

test('text ends before the stop string, which is named', () => {
  expect(run(['1, 2, ', '3, 4'], ['3'])).toEqual({ text: '1, 2, ', matched: '3' });
  expect(run(['a</s', 'top>b'], ['</stop>', 'x'])).toEqual({ text: 'a', matched: '</stop>' });
});

test('no part of a stop string leaks while it may still come', () => {
  const matcher = createStopStringMatcher(['END.']);
  expect(matcher.push('so E')).toEqual({ text: 'so ' });
  expect(matcher.push('N')).toEqual({ text: '' });
  expect(matcher.push('Z EN')).toEqual({ text: 'ENZ ' });
  expect(matcher.finish()).toBe('EN');
});

test('a stop string longer than the output gives the output', () => {
  expect(run(['abc'], ['abcdefgh'])).toEqual({ text: 'abc' });
});

test('the match that is complete first wins, and an empty stop string is none', () => {
  expect(run(['xabcd'], ['abcd', 'bc', ''])).toEqual({ text: 'xa', matched: 'bc' });
  expect(run(['xabc'], ['bc', 'abc'])).toEqual({ text: 'x', matched: 'abc' });
});

test('the result does not depend on how the text is cut', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 8 }), fc.array(letters, { maxLength: 3 }), (pieces, stops) => {
      expect(run(pieces, stops)).toEqual(run([pieces.join('')], stops));
    }),
    { numRuns: 1000 },
  );
});
