import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse as parseYaml } from 'yaml';
import { parseJsonEntries } from './parse-json-entries.js';
import { type SecretEntry, UnwritableValuesError } from './secret-entry.js';
import { writeDocker } from './write-docker.js';
import { writeJson } from './write-json.js';
import { writeShell } from './write-shell.js';
import { writeYaml } from './write-yaml.js';

const text = fc
  .string({ unit: 'binary', maxLength: 40 })
  .filter((value) => !/\p{Surrogate}/u.test(value) && !value.includes('\0'));
const nasty = [
  "it's",
  "'; touch /tmp/owned; '",
  '$(id)',
  '`id`',
  '\\',
  "\\'",
  'line\nline\n',
  'cr\r\nlf\r',
  ' leading and trailing ',
  '',
  '#no comment',
  '😀 é \u2028',
  '"double"',
  '$HOME',
  '!history',
  'no',
  '1e3',
  'null',
];

test('a real shell reads the shell form back byte for byte and runs nothing of it', () => {
  const values = [...nasty, ...fc.sample(text, { numRuns: 300, seed: 7 })];
  const entries = values.map((value, index) => ({ key: `V${index}`, value }));
  const folder = mkdtempSync(path.join(tmpdir(), 'shell-form-'));
  try {
    const script = path.join(folder, 'secrets.sh');
    const prints = entries.map(({ key }) => `printf '%s\\0' "$${key}"`).join('\n');
    writeFileSync(script, `${writeShell(entries)}${prints}\n`);
    const output = execFileSync('sh', [script], { env: {}, maxBuffer: 1 << 24 }).toString('utf8');
    expect(output.split('\0').slice(0, -1)).toEqual(values);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('JSON and YAML forms read back the same, whatever the values', () => {
  const entries: fc.Arbitrary<SecretEntry[]> = fc
    .array(fc.oneof(text, fc.constantFrom(...nasty)), { maxLength: 8 })
    .map((values) => values.map((value, index) => ({ key: `K${index}`, value })));
  fc.assert(
    fc.property(entries, (list) => {
      const expected = Object.fromEntries(list.map((entry) => [entry.key, entry.value]));
      expect(JSON.parse(writeJson(list))).toEqual(expected);
      expect(parseYaml(writeYaml(list))).toEqual(expected);
      expect(parseYaml(writeYaml(list), { version: '1.1' })).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('the docker form holds values as they are, and refuses by name what a line cannot hold', () => {
  expect(writeDocker([{ key: 'A', value: ' "x" # y ' }])).toBe('A= "x" # y \n');
  const refused = () =>
    writeDocker([
      { key: 'OK', value: 'x' },
      { key: 'TWO_LINES', value: 'a\nb' },
      { key: 'LONG', value: 'x'.repeat(65_536) },
    ]);
  expect(refused).toThrow(UnwritableValuesError);
  expect(refused).toThrow(/TWO_LINES, LONG$/);
});

test('a flat JSON object imports its texts, numbers and booleans, and names what it cannot hold', () => {
  const parsed = parseJsonEntries({ A: 'x', B: 1, C: true, D: { nested: 1 }, 'bad-name': 'x', E: null });
  expect(parsed.entries.map(({ key, value }) => [key, value])).toEqual([
    ['A', 'x'],
    ['B', '1'],
    ['C', 'true'],
  ]);
  expect(parsed.problems.map((problem) => problem.line)).toEqual([4, 5, 6]);
});
