import { readFileSync } from 'node:fs';
import { freemem } from 'node:os';

type ReadText = (path: string) => string | undefined;

const readText: ReadText = (path) => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
};

/** Memory that can still be used: of the machine, or of the container where that has less. */
export function availableMemory(read: ReadText = readText, free: () => number = freemem): number {
  const machine = meminfo(read) ?? free();
  const container = containerVersion2(read) ?? containerVersion1(read);
  return Math.max(0, container === undefined ? machine : Math.min(machine, container));
}

function meminfo(read: ReadText): number | undefined {
  const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(read('/proc/meminfo') ?? '')?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

function containerVersion2(read: ReadText): number | undefined {
  const limit = Number(read('/sys/fs/cgroup/memory.max') ?? Number.NaN);
  const used = Number(read('/sys/fs/cgroup/memory.current') ?? Number.NaN);
  if (!Number.isFinite(limit) || !Number.isFinite(used)) return undefined;
  return limit - used + reclaimable(read('/sys/fs/cgroup/memory.stat'), 'inactive_file');
}

function containerVersion1(read: ReadText): number | undefined {
  const limit = Number(read('/sys/fs/cgroup/memory/memory.limit_in_bytes') ?? Number.NaN);
  const used = Number(read('/sys/fs/cgroup/memory/memory.usage_in_bytes') ?? Number.NaN);
  // Version 1 spells "no limit" as a number near 2^63.
  if (!Number.isFinite(limit) || !Number.isFinite(used) || limit > 2 ** 60) return undefined;
  return limit - used + reclaimable(read('/sys/fs/cgroup/memory/memory.stat'), 'total_inactive_file');
}

/** Cached files count as used, but give way at once. */
function reclaimable(stat: string | undefined, key: string): number {
  return Number(new RegExp(`^${key} (\\d+)`, 'm').exec(stat ?? '')?.[1] ?? 0);
}
