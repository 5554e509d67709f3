import { describe, expect, test } from '@jest/globals';
import { Command } from 'commander';
import { z } from 'zod';
import {
  choiceSetting,
  hostSetting,
  integerSetting,
  listSetting,
  portSetting,
  secretSetting,
} from './setting-schemas.js';
import { addSettingsTo, defineSettings, readSettings, withPrefixedNames } from './settings.js';
import { StartupError } from './startup-error.js';

const settings = defineSettings({
  host: { env: 'X_HOST', flag: '--host <host>', description: 'address', schema: hostSetting('127.0.0.1') },
  port: {
    env: 'X_PORT',
    flag: '--port <port>',
    description: 'port',
    defaultText: '80',
    schema: portSetting(80),
  },
  apiKey: { env: 'X_API_KEY', flag: '--api-key <key>', description: 'key', schema: secretSetting(8) },
  level: { env: 'X_LEVEL', description: 'level', schema: choiceSetting(['low', 'high'], 'low') },
  folders: { env: 'X_FOLDERS', flag: '--folder <folder...>', description: 'folders', schema: listSetting() },
  count: { env: 'X_COUNT', description: 'count', schema: integerSetting({ min: 1, max: 9, fallback: 3 }) },
});

const read = (flags: Record<string, unknown>, env: Record<string, string>) =>
  readSettings(settings, { flags, env });

function problemsOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(StartupError);
    return (error as StartupError).message;
  }
  throw new Error('nothing was thrown');
}

describe('reading settings', () => {
  test('an absent setting takes its default', () => {
    expect(read({}, {})).toEqual({
      host: '127.0.0.1',
      port: 80,
      apiKey: undefined,
      level: 'low',
      folders: [],
      count: 3,
    });
  });

  test('a flag wins over the environment, the environment over the default', () => {
    expect(read({ port: '1' }, { X_PORT: '2' }).port).toBe(1);
    expect(read({}, { X_PORT: '2' }).port).toBe(2);
  });

  test('an empty variable counts as not set', () => {
    expect(read({}, { X_PORT: '', X_API_KEY: '' })).toMatchObject({ port: 80, apiKey: undefined });
  });

  test('a list comes from repeated flags or from commas', () => {
    expect(read({ folder: ['/a', '/b'] }, {}).folders).toEqual(['/a', '/b']);
    expect(read({}, { X_FOLDERS: '/a, /b,' }).folders).toEqual(['/a', '/b']);
  });

  test('all problems are reported at once, each under the name the user gave it', () => {
    const report = problemsOf(() => read({ port: 'many' }, { X_LEVEL: 'middle', X_COUNT: '12' }));
    expect(report.split('\n')).toEqual([
      'bad settings:',
      '  --port: must be a whole number',
      '  X_LEVEL: must be one of low, high',
      '  X_COUNT: must be between 1 and 9',
    ]);
  });

  test('one problem is one line', () => {
    expect(problemsOf(() => read({}, { X_PORT: '70000' }))).toBe(
      'bad setting: X_PORT: must be between 0 and 65535',
    );
  });

  test.each(['short', 'has a space in it', 'ünprintable-key'])(
    'a refused secret is never printed (%s)',
    (secret) => {
      expect(problemsOf(() => read({}, { X_API_KEY: secret }))).not.toContain(secret);
    },
  );
});

test('a variable with a name of its own can also be spelled with our prefix, and its own name wins', () => {
  const prefixed = withPrefixedNames(settings, 'HEARTH_X_');
  const readPrefixed = (env: Record<string, string>) => readSettings(prefixed, { flags: {}, env }).port;
  expect(readPrefixed({ HEARTH_X_X_PORT: '5' })).toBe(5);
  expect(readPrefixed({ HEARTH_X_X_PORT: '5', X_PORT: '6' })).toBe(6);
});

test('the help names the variable and the default of each flag', () => {
  const help = addSettingsTo(new Command('x'), settings).helpInformation();
  expect(help).toContain('--port <port>');
  expect(help).toContain('port (X_PORT, default: 80)');
});

test('a setting keeps the type of its schema', () => {
  const port: number = read({}, {}).port;
  const level: 'low' | 'high' = read({}, {}).level;
  expect(z.number().parse(port)).toBe(80);
  expect(level).toBe('low');
});
