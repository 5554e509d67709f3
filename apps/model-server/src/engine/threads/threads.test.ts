import { describe, expect, test } from '@jest/globals';
import { StepThreads } from './step-threads.js';
import { ThreadBudget } from './thread-budget.js';
import { ThreadTuner } from './thread-tuner.js';
import { usableCores } from './usable-cores.js';

const files = (contents: Record<string, string>) => (path: string) => contents[path];

describe('usable cores', () => {
  test.each([
    ['no container', {}, 8, 8],
    ['no quota', { '/sys/fs/cgroup/cpu.max': 'max 100000' }, 8, 8],
    ['a quota of two and a half cores', { '/sys/fs/cgroup/cpu.max': '250000 100000' }, 8, 2],
    ['a quota below one core', { '/sys/fs/cgroup/cpu.max': '50000 100000' }, 8, 1],
    ['a quota above the cores', { '/sys/fs/cgroup/cpu.max': '1600000 100000' }, 8, 8],
    [
      'a quota of the old kind',
      { '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '300000', '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000' },
      8,
      3,
    ],
    ['no quota of the old kind', { '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1' }, 4, 4],
  ])('%s', (_name, contents, parallelism, expected) => {
    expect(usableCores(files(contents as Record<string, string>), parallelism)).toBe(expected);
  });
});

describe('the budget', () => {
  const user = () => {
    const granted: number[] = [];
    return { granted, grantThreads: (count: number) => void granted.push(count) };
  };

  test('gives all cores to one engine, and shares them when a second one works', () => {
    const budget = new ThreadBudget(6);
    const first = user();
    const second = user();
    budget.enter(first);
    budget.enter(second);
    budget.leave(first);
    expect(first.granted).toEqual([6, 3]);
    expect(second.granted).toEqual([3, 6]);
  });

  test('never gives out more than there is, as long as there is one for each', () => {
    const budget = new ThreadBudget(5);
    const users = [user(), user(), user()];
    for (const each of users) budget.enter(each);
    expect(users.map(({ granted }) => granted.at(-1))).toEqual([2, 2, 1]);
  });

  test('gives one to each where there are more engines than cores', () => {
    const budget = new ThreadBudget(2);
    const users = [user(), user(), user()];
    for (const each of users) budget.enter(each);
    expect(users.map(({ granted }) => granted.at(-1))).toEqual([1, 1, 1]);
  });
});

describe('the tuner', () => {
  const tunerOf = (granted: number) =>
    new ThreadTuner(granted, { trialSteps: 4, firstLookSteps: 4, calmSteps: 150, waitSteps: 24 });

  /** Lets it work on a machine where a step takes the given time. */
  function work(tuner: ThreadTuner, steps: number, msFor: (threads: number) => number): number[] {
    return Array.from({ length: steps }, () => {
      const threads = tuner.next();
      tuner.record({ threads, streams: 1, ms: msFor(threads) });
      return threads;
    });
  }

  test('stays with all threads where more are faster', () => {
    const tuner = tunerOf(8);
    const used = work(tuner, 2000, (threads) => 80 / threads);
    expect(tuner.next()).toBe(8);
    expect(used.filter((threads) => threads < 8).length).toBeLessThan(80);
  });

  test('finds the fastest count where the memory is the limit', () => {
    const tuner = tunerOf(16);
    work(tuner, 4000, (threads) => 10 + Math.abs(threads - 6));
    expect(Math.abs(tuner.next() - 6)).toBeLessThanOrEqual(1);
  });

  test('takes fewer at once when the machine gets busy, and all again when it is quiet', () => {
    const tuner = tunerOf(2);
    work(tuner, 100, (threads) => 20 / threads);
    work(tuner, 3, (threads) => (threads === 1 ? 21 : 800));
    expect(tuner.next()).toBe(1);
    const busy = work(tuner, 1000, (threads) => (threads === 1 ? 21 : 800));
    expect(busy.filter((threads) => threads === 2).length).toBeLessThan(5);
    work(tuner, 1200, (threads) => 20 / threads);
    expect(tuner.next()).toBe(2);
  });

  test('starts low where the machine is busy from the start', () => {
    const tuner = tunerOf(2);
    const used = work(tuner, 100, (threads) => (threads === 1 ? 21 : 800));
    expect(used.slice(10).filter((threads) => threads === 2).length).toBeLessThan(2);
  });

  test('tries rarely what does great harm', () => {
    const tuner = tunerOf(2);
    const used = work(tuner, 10_000, (threads) => (threads === 1 ? 21 : 800));
    expect(used.filter((threads) => threads === 2).length).toBeLessThan(20);
  });

  test('stays with all threads where a step is slow now and then', () => {
    const tuner = tunerOf(2);
    let step = 0;
    const used = work(tuner, 2000, (threads) => {
      step += 1;
      return threads === 1 ? 18 : step % 5 === 0 ? 30 : 11;
    });
    expect(used.filter((threads) => threads === 1).length).toBeLessThan(40);
  });

  test('takes fewer where most steps are slower than with fewer, without a sudden change', () => {
    const tuner = tunerOf(2);
    work(tuner, 100, (threads) => 20 / threads);
    work(tuner, 40, (threads) => (threads === 1 ? 21 : 30));
    expect(tuner.next()).toBe(1);
  });

  test('is back at all threads soon after a short disturbance', () => {
    const tuner = tunerOf(2);
    work(tuner, 100, (threads) => 20 / threads);
    work(tuner, 3, (threads) => (threads === 1 ? 21 : 800));
    work(tuner, 40, (threads) => 20 / threads);
    expect(tuner.next()).toBe(2);
  });

  test('does not spend its time on trials that never end because the number of streams changes', () => {
    const tuner = tunerOf(2);
    let few = 0;
    for (let step = 0; step < 3000; step += 1) {
      const threads = tuner.next();
      if (threads === 1) few += 1;
      tuner.record({ threads, streams: 1 + (Math.floor(step / 6) % 2), ms: 20 / threads });
    }
    expect(few).toBeLessThan(150);
  });

  test('never uses more than it was granted', () => {
    const tuner = tunerOf(8);
    work(tuner, 50, (threads) => 80 / threads);
    tuner.grant(3);
    expect(Math.max(...work(tuner, 500, (threads) => 80 / threads))).toBe(3);
    tuner.grant(8);
    expect(tuner.next()).toBe(8);
  });
});

describe('the threads of steps', () => {
  /** One stream is fastest with four threads, many streams and prompts with all eight. */
  const msFor = (threads: number, step: { streams: number; promptTokens: number }) =>
    step.promptTokens > 0 || step.streams > 2 ? 80 / threads : 10 + Math.abs(threads - 4);

  function work(
    threads: StepThreads,
    count: number,
    step: { streams: number; promptTokens: number },
  ): number {
    for (let index = 0; index < count; index += 1) {
      const used = threads.next(step);
      threads.record(step, used, msFor(used, step));
    }
    return threads.next(step);
  }

  test('each kind of step has its own best count', () => {
    const threads = new StepThreads(8);
    for (let round = 0; round < 4; round += 1) {
      work(threads, 500, { streams: 1, promptTokens: 0 });
      work(threads, 500, { streams: 8, promptTokens: 0 });
      work(threads, 20, { streams: 1, promptTokens: 256 });
    }
    expect(Math.abs(work(threads, 1, { streams: 1, promptTokens: 0 }) - 4)).toBeLessThanOrEqual(1);
    expect(work(threads, 1, { streams: 8, promptTokens: 0 })).toBe(8);
    expect(work(threads, 1, { streams: 1, promptTokens: 256 })).toBe(8);
  });

  test('prompts are read with all threads although their slices differ and the first was slow', () => {
    const threads = new StepThreads(16);
    const used = Array.from({ length: 200 }, (_, index) => {
      const step = { streams: 0, promptTokens: 512 - (index % 3) * 100 };
      const count = threads.next(step);
      threads.record(step, count, (index === 0 ? 5 : 1) * (20 + step.promptTokens * (1 + (index % 4) / 10)));
      return count;
    });
    expect(new Set(used)).toEqual(new Set([16]));
  });

  test('a new grant holds for every kind of step', () => {
    const threads = new StepThreads(8);
    work(threads, 50, { streams: 1, promptTokens: 0 });
    threads.grant(2);
    expect(work(threads, 5, { streams: 1, promptTokens: 0 })).toBeLessThanOrEqual(2);
    expect(work(threads, 5, { streams: 8, promptTokens: 0 })).toBeLessThanOrEqual(2);
    expect(work(threads, 5, { streams: 0, promptTokens: 256 })).toBeLessThanOrEqual(2);
  });
});
