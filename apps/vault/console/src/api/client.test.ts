import { describe, expect, test } from '@jest/globals';
import { nextLink } from './client.js';

describe('the next page of a list', () => {
  test('is the path of the Link header, never another site', () => {
    expect(nextLink('<https://elsewhere.example/api/secrets/audit?limit=2&cursor=a%2Bb>; rel="next"')).toBe(
      '/api/secrets/audit?limit=2&cursor=a%2Bb',
    );
  });

  test.each([null, '', '</api>; rel="prev"'])('is nothing for %p', (header) => {
    expect(nextLink(header)).toBeUndefined();
  });
});
