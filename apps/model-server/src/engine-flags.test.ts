import { readSettings } from '@hearth/service-kit/settings';
import { expect, test } from '@jest/globals';
import { engineFlags, engineSettingsOf } from './engine-flags.js';

const read = (env: Record<string, string>, flags: Record<string, string> = {}) =>
  engineSettingsOf(readSettings(engineFlags, { flags, env }));

test('without any setting the engine runs on its defaults', () => {
  expect(read({})).toEqual({
    parallel: 4,
    maxQueue: 512,
    maxLoadedModels: 3,
    keepAlive: { seconds: 300 },
    gpu: 'auto',
    unreadReplyMs: 60_000,
  });
});

test('settings come from flags and from the environment', () => {
  const settings = read({ HEARTH_THREADS: '2', HEARTH_MEMORY_LIMIT_MB: '1024' }, { contextLength: '8192' });
  expect(settings).toMatchObject({ threads: 2, contextLength: 8192, memoryLimitBytes: 1024 ** 3 });
});

test.each([
  ['0', { seconds: 0 }],
  ['90', { seconds: 90 }],
  ['90s', { seconds: 90 }],
  ['5m', { seconds: 300 }],
  ['24h', { seconds: 86_400 }],
  ['-1', 'forever'],
])('a keep-alive of %s is understood', (text, expected) => {
  expect(read({ HEARTH_KEEP_ALIVE: text }).keepAlive).toEqual(expected);
});

test.each(['soon', '5 minutes', '1d', ''.padStart(12, '9')])('a keep-alive of %s is refused', (text) => {
  expect(() => read({ HEARTH_KEEP_ALIVE: text })).toThrow('HEARTH_KEEP_ALIVE');
});
