import { createLogger } from '@hearth/service-kit/logger';
import { expect, test } from '@jest/globals';
import { startHousekeeping } from './housekeeping.js';

const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });

test('a task that fails does not keep the next from running, and stopping waits for both', async () => {
  const done: string[] = [];
  const stop = startHousekeeping(
    {
      broken: () => Promise.reject(new Error('database away')),
      working: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        done.push('working');
      },
    },
    logger,
  );
  await stop();
  expect(done).toEqual(['working']);
});
