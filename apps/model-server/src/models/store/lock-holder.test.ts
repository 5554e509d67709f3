import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { isAlive, thisHolder } from './lock-holder.js';

/** Only Linux tells when a process began and whether it has ended without anybody asking how. */
const linuxTest = process.platform === 'linux' ? test : test.skip;

test('this process lives, and nothing is known of one on another machine or in another container', async () => {
  const own = await thisHolder();
  expect(await isAlive(own)).toBe(true);
  expect(await isAlive({ ...own, host: 'elsewhere' })).toBeUndefined();
  expect(await isAlive({ ...own, processes: 'pid:[1]' })).toBeUndefined();
});

linuxTest(
  'a process that has ended counts as dead also while its parent has not asked how it ended',
  async () => {
    // The shell becomes a program that never asks after the child it has inherited.
    const parent = spawn('/bin/sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(String(line));
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
      const begun = stat.split(' ')[21];
      const holder = { pid, host: hostname(), id: 'x', ...(begun === undefined ? {} : { begun }) };
      expect(await isAlive(holder)).toBe(true);
      process.kill(pid, 'SIGKILL');
      while (!(await readFile(`/proc/${pid}/stat`, 'utf8')).includes(') Z ')) await wait(5);
      expect(await isAlive(holder)).toBe(false);
    } finally {
      parent.kill('SIGKILL');
    }
  },
);
