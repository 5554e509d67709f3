import { describe, expect, test } from '@jest/globals';
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
  /** Lets it work on a machine where a step takes the given time. */
  function work(tuner: ThreadTuner, steps: number, msFor: (threads: number) => number): number[] {
    return Array.from({ length: steps }, () => {
      const threads = tuner.next();
      tuner.record({ threads, streams: 1, ms: msFor(threads) });
      return threads;
    });
  }

  test('stays with all threads where more are faster', () => {
    const tuner = new ThreadTuner(8);
    const used = work(tuner, 2000, (threads) => 80 / threads);
    expect(tuner.next()).toBe(8);
    expect(used.filter((threads) => threads < 8).length).toBeLessThan(80);
  });

  test('finds the fastest count where the memory is the limit', () => {
    const tuner = new ThreadTuner(16);
    work(tuner, 4000, (threads) => 10 + Math.abs(threads - 6));
    expect(Math.abs(tuner.next() - 6)).toBeLessThanOrEqual(1);
  });

  test('takes fewer at once when the machine gets busy, and all again when it is quiet', () => {
    const tuner = new ThreadTuner(2);
    work(tuner, 100, (threads) => 20 / threads);
    work(tuner, 3, (threads) => (threads === 1 ? 21 : 800));
    expect(tuner.next()).toBe(1);
    const busy = work(tuner, 1000, (threads) => (threads === 1 ? 21 : 800));
    expect(busy.filter((threads) => threads === 2).length).toBeLessThan(5);
    work(tuner, 1200, (threads) => 20 / threads);
    expect(tuner.next()).toBe(2);
  });

  test('starts low where the machine is busy from the start', () => {
    const tuner = new ThreadTuner(2);
    const used = work(tuner, 100, (threads) => (threads === 1 ? 21 : 800));
    expect(used.slice(10)).toEqual(Array(90).fill(1));
  });

  test('tries ever more rarely what has done harm', () => {
    const tuner = new ThreadTuner(2);
    const used = work(tuner, 10_000, (threads) => (threads === 1 ? 21 : 800));
    expect(used.filter((threads) => threads === 2).length).toBeLessThan(20);
  });

  test('never uses more than it was granted', () => {
    const tuner = new ThreadTuner(8);
    work(tuner, 50, (threads) => 80 / threads);
    tuner.grant(3);
    expect(Math.max(...work(tuner, 500, (threads) => 80 / threads))).toBe(3);
    tuner.grant(8);
    expect(tuner.next()).toBe(8);
  });
});
