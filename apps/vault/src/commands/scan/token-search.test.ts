import { describe, expect, test } from '@jest/globals';
import { mintToken } from '../../crypto/api-token.js';
import { createTokenSearch, type FoundToken } from './token-search.js';

const token = mintToken().value;
const hint = `sk-svc-…${token.slice(43, 47)}`;
const searchIn = (...pieces: string[]): FoundToken[] => {
  const search = createTokenSearch();
  return pieces.flatMap((piece) => search.push(piece));
};

describe('a token is found', () => {
  test.each([
    ['alone', token, 1, 1],
    ['in a line of its own, with Windows ends', `a\r\n${token}\r\nb`, 2, 1],
    ['in a variable', `x=1\nMY_TOKEN_${token}_x`, 2, 10],
    ['in an address', `https://v/?t=${token}&x`, 1, 14],
    ['with letters right behind it', `"${token}nothing"`, 1, 2],
    ['after something that only looks like one', `sk-svc-${'a'.repeat(46)}\n\n${token}`, 3, 1],
  ])('%s', (_name, text, line, column) => {
    expect(searchIn(text)).toEqual([{ line, column, hint }]);
  });

  test('wherever the text is cut into pieces, once', () => {
    const text = `first\nsecond ${token}\nthird ${token}`;
    const whole = searchIn(text);
    expect(whole).toEqual([
      { line: 2, column: 8, hint },
      { line: 3, column: 7, hint },
    ]);
    for (let cut = 0; cut <= text.length; cut += 1) {
      expect(searchIn(text.slice(0, cut), text.slice(cut))).toEqual(whole);
    }
    expect(searchIn(...text)).toEqual(whole);
  });

  test('twice where two stand side by side', () => {
    expect(searchIn(token + token).map(({ column }) => column)).toEqual([1, 54]);
  });
});

test('what only looks like a token is none: a letter changed, one missing, the prefix alone', () => {
  const changed = token.slice(0, 20) + (token[20] === 'a' ? 'b' : 'a') + token.slice(21);
  for (const text of [changed, token.slice(0, -1), token.slice(1), token.toUpperCase(), 'sk-svc-', '']) {
    expect(searchIn(text)).toEqual([]);
  }
});
