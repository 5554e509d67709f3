import { expect, test } from '@jest/globals';
import { inStepsOfTime } from './in-steps-of-time.js';

/** A clock that stands still but for what work and sleep say they take. */
function fakeClock() {
  let time = 1000;
  const pass = async (ms: number) => {
    time += ms;
  };
  return { now: () => time, sleep: pass, pass, passed: () => time - 1000 };
}

test.each([
  [0, 200],
  [3, 200],
  [199, 200],
  [201, 400],
])('work of %d ms ends after %d ms', async (takes, ends) => {
  const clock = fakeClock();
  expect(await inStepsOfTime(200, () => clock.pass(takes).then(() => 'done'), clock)).toBe('done');
  expect(clock.passed()).toBe(ends);
});

test('work that fails ends at the same moment as work that does not', async () => {
  const clock = fakeClock();
  const failing = () => clock.pass(20).then(() => Promise.reject(new Error('no')));
  await expect(inStepsOfTime(200, failing, clock)).rejects.toThrow('no');
  expect(clock.passed()).toBe(200);
});
