import { expect, test } from '@jest/globals';
import { parse as parseByLibrary } from 'dotenv';
import fc from 'fast-check';
import { parseDotenv } from './parse-dotenv.js';
import { type SecretEntry, UnwritableValuesError } from './secret-entry.js';
import { writeDotenv } from './write-dotenv.js';

const key = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,12}$/).filter((name) => name !== '__proto__');
const nastyPiece = fc.constantFrom(
  "'",
  '"',
  '`',
  '\\',
  '\\n',
  '\n',
  '\r',
  '#',
  ' ',
  '$',
  '=',
  'é',
  '😀',
  'a',
  '\t',
  ':',
);
const value = fc.oneof(
  fc.array(nastyPiece, { maxLength: 10 }).map((pieces) => pieces.join('')),
  fc
    .string({ unit: 'binary', maxLength: 30 })
    .filter((text) => !/\p{Surrogate}/u.test(text) && !text.includes('\0')),
);
const entryList: fc.Arbitrary<SecretEntry[]> = fc.uniqueArray(fc.record({ key, value }), {
  selector: (entry) => entry.key,
  maxLength: 6,
});
const asObject = (entries: readonly SecretEntry[]) =>
  Object.fromEntries(entries.map((entry) => [entry.key, entry.value]));

test('what is written reads back the same, here and by the dotenv library, or is refused by name', () => {
  let written = 0;
  fc.assert(
    fc.property(entryList, (entries) => {
      let text: string;
      try {
        text = writeDotenv(entries);
      } catch (error) {
        expect(error).toBeInstanceOf(UnwritableValuesError);
        expect(entries.map((entry) => entry.key)).toEqual(
          expect.arrayContaining([...(error as UnwritableValuesError).keys]),
        );
        return;
      }
      written += 1;
      const parsed = parseDotenv(text);
      expect(parsed.problems).toEqual([]);
      expect(asObject(parsed.entries)).toEqual(asObject(entries));
      expect(parseByLibrary(text)).toEqual(asObject(entries));
    }),
    { numRuns: 2000 },
  );
  expect(written).toBeGreaterThan(500);
});

test('the usual multi-line, quoted and spaced values are all writable', () => {
  const entries = [
    { key: 'PEM', value: '-----BEGIN KEY-----\nabc+/=\n-----END KEY-----\n' },
    { key: 'JSON', value: '{"a":"it\'s","b":1}' },
    { key: 'SPACED', value: '  two  ' },
    { key: 'HASH', value: 'a#b' },
    { key: 'CRLF', value: 'a\r\nb' },
    { key: 'BACKSLASH', value: 'C:\\temp\\' },
    { key: 'LITERAL', value: 'a\\nb' },
    { key: 'EMPTY', value: '' },
    { key: 'DOLLAR', value: '$(rm -rf /) `x` $HOME' },
  ];
  expect(asObject(parseDotenv(writeDotenv(entries)).entries)).toEqual(asObject(entries));
});

test('a file that reads without problems reads as the dotenv library reads it', () => {
  const line = fc
    .tuple(
      fc.constantFrom('', 'export ', '  '),
      key,
      fc.constantFrom('=', ' = ', '= ', ': '),
      fc.oneof(
        fc.constantFrom(
          "'a'",
          '"a\\nb"',
          '`a`',
          "'a' # c",
          'a # c',
          'a#b',
          '"it"s"',
          "'x' y",
          "'a\\'",
          '""',
          "'",
          '"open',
          "'two\nlines'",
          '"a\\"b"',
        ),
        value,
      ),
    )
    .map((parts) => parts.join(''));
  const other = fc.constantFrom('', '# comment', '   ', 'no assignment here', 'A.B=dotted');
  let clean = 0;
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 4, arbitrary: line }, other), { maxLength: 6 }),
      fc.constantFrom('\n', '\r\n'),
      (lines, end) => {
        const text = lines.join(end);
        const parsed = parseDotenv(text);
        if (parsed.problems.length > 0) return;
        clean += 1;
        expect(asObject(parsed.entries)).toEqual(parseByLibrary(text));
      },
    ),
    { numRuns: 4000 },
  );
  expect(clean).toBeGreaterThan(500);
});

test('each line that cannot be read is named by its number, and its text is never repeated', () => {
  const text = [
    "A='one",
    "two'",
    'hunter2',
    '# fine',
    'B-C=x',
    '1D=x',
    '',
    'E=ok',
    'A=again',
    'F="never closed',
    'G=1',
  ].join('\n');
  const parsed = parseDotenv(text);
  expect(parsed.entries).toEqual([
    { key: 'A', value: 'again', line: 9 },
    { key: 'E', value: 'ok', line: 8 },
    { key: 'G', value: '1', line: 11 },
  ]);
  expect(parsed.problems.map((problem) => problem.line)).toEqual([3, 5, 6, 10]);
  expect(parsed.warnings.map((warning) => warning.line)).toEqual([9]);
  expect(JSON.stringify(parsed.problems)).not.toContain('hunter2');
});

test('a megabyte made to be slow is read in one pass', () => {
  for (const line of ["A='\\'", 'A="', "A='\\'\\'\\'x", '`']) {
    const text = `${line}\n`.repeat(Math.floor(1_000_000 / (line.length + 1)));
    expect(parseDotenv(text).entries.length).toBeLessThan(3);
  }
});
