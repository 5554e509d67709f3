import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

type ReadText = (path: string) => string | undefined;

const readText: ReadText = (path) => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
};

/** The cores this process may keep busy: affinity, and the quota of its container (cgroup version 2, then 1). */
export function usableCores(read: ReadText = readText, parallelism: number = availableParallelism()): number {
  const quota = quotaVersion2(read) ?? quotaVersion1(read);
  // Part of a core is no core: a thread that is paused in the middle of a step holds up all the others.
  const allowed = quota === undefined ? parallelism : Math.floor(quota);
  return Math.max(1, Math.min(parallelism, allowed));
}

function quotaVersion2(read: ReadText): number | undefined {
  const [quota, period] = read('/sys/fs/cgroup/cpu.max')?.split(/\s+/) ?? [];
  if (quota === undefined || period === undefined || quota === 'max') return undefined;
  return positive(Number(quota) / Number(period));
}

function quotaVersion1(read: ReadText): number | undefined {
  const quota = Number(read('/sys/fs/cgroup/cpu/cpu.cfs_quota_us') ?? Number.NaN);
  const period = Number(read('/sys/fs/cgroup/cpu/cpu.cfs_period_us') ?? Number.NaN);
  return quota > 0 ? positive(quota / period) : undefined;
}

function positive(value: number): number | undefined {
  return Number.isFinite(value) && value > 0 ? value : undefined;
}
