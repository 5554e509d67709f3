import { describe, expect, test } from '@jest/globals';
import { generateValue } from './generate-value.js';

describe('a generated value', () => {
  test.each([
    ['password', /^[A-Za-z0-9]{24}$/],
    ['hex', /^[0-9a-f]{48}$/],
    ['base64', /^[A-Za-z0-9+/]{32}$/],
    ['uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
  ] as const)('of kind %s has the form that was asked for, and is new each time', (kind, form) => {
    const options = { kind, length: 24, symbols: false };
    expect(generateValue(options)).toMatch(form);
    expect(generateValue(options)).not.toBe(generateValue(options));
  });

  test('uses every character of its alphabet, symbols too when wanted', () => {
    const used = new Set(
      Array.from({ length: 60 }, () => generateValue({ kind: 'password', length: 128, symbols: true })).join(
        '',
      ),
    );
    expect(used.size).toBe(57 + 12);
  });
});
