import childProcess, { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { withoutBinaryTest } from './without-binary-test.js';

/** Asks as the binding does: each word is sent when the one before is answered. */
async function answers(test: ChildProcess, words: readonly string[]): Promise<unknown[]> {
  const heard: unknown[] = [(await once(test, 'message'))[0]];
  for (const type of words) {
    const answer = Promise.race([once(test, 'message'), once(test, 'exit')]);
    test.send({ type });
    heard.push((await answer)[0]);
  }
  test.kill();
  return heard;
}

const testProgram = () => childProcess.fork('test-program.js');

test('the test of a proven binary passes at once, without a process', async () => {
  const heard = await withoutBinaryTest(() => answers(testProgram(), ['start', 'test', 'exit']));
  expect(heard).toEqual([{ type: 'ready' }, { type: 'loaded' }, { type: 'done' }, 0]);
});

test('a test that asks for something else fails, so that the long way is taken', async () => {
  expect(await withoutBinaryTest(() => answers(testProgram(), ['measure']))).toEqual([{ type: 'ready' }, 1]);
});

test('afterwards processes are started as ever, also after a failure', async () => {
  const { fork } = childProcess;
  await expect(withoutBinaryTest(() => Promise.reject(new Error('no binary')))).rejects.toThrow('no binary');
  expect(childProcess.fork).toBe(fork);
});
