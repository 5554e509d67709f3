import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { isAlive, thisHolder } from './lock-holder.js';

test('this process lives, and nothing is known of one elsewhere, or of a number that may be somebody else’s by now', async () => {
  const own = await thisHolder();
  const { begun, ...ofUnknownAge } = own;
  expect(await isAlive(own)).toBe(begun === undefined ? undefined : true);
  expect(await isAlive(ofUnknownAge)).toBeUndefined();
  expect(await isAlive({ ...own, host: 'elsewhere' })).toBeUndefined();
  expect(await isAlive({ ...own, processes: 'pid:[1]' })).toBeUndefined();
});

test('a process that has ended and was not asked how counts as dead where the system tells when it began', async () => {
  // The shell becomes a program that never asks after the child it has inherited.
  const parent = spawn('/bin/sh', ['-c', 'sleep 60 & echo $!; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(String(line));
    // Until then it is still the shell, which does ask.
    await answerOf(parent);
    const begun = await readFile(`/proc/${pid}/stat`, 'utf8').then(
      (stat) => stat.split(' ')[21],
      () => undefined,
    );
    const holder = { pid, host: hostname(), id: 'x', ...(begun === undefined ? {} : { begun }) };
    expect(await isAlive(holder)).toBe(begun === undefined ? undefined : true);
    process.kill(pid, 'SIGKILL');
    while (!(await stateOf(pid)).startsWith('Z')) await wait(5);
    expect(await isAlive(holder)).toBe(begun === undefined ? undefined : false);
  } finally {
    parent.kill('SIGKILL');
  }
});

async function answerOf(cat: ChildProcessByStdio<Writable, Readable, null>): Promise<void> {
  cat.stdin.write('there?');
  await once(cat.stdout, 'data');
}

async function stateOf(pid: number): Promise<string> {
  return (await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)])).stdout.trim();
}
