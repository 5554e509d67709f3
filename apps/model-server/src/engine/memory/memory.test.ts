import { describe, expect, test } from '@jest/globals';
import { availableMemory } from './available-memory.js';
import { chooseContext, leastBytes, processBytes } from './choose-context.js';

const GiB = 2 ** 30;
const read = (contents: Record<string, string>) => (path: string) => contents[path];

describe('available memory', () => {
  const meminfo = { '/proc/meminfo': `MemTotal: 99 kB\nMemAvailable:   ${8 * 1024 * 1024} kB\n` };

  test('is what the machine has', () => {
    expect(availableMemory(read(meminfo))).toBe(8 * GiB);
    expect(availableMemory(read({}), () => 3 * GiB)).toBe(3 * GiB);
  });

  test('is what the container has left, files in the cache not counted', () => {
    const container = {
      '/sys/fs/cgroup/memory.max': String(4 * GiB),
      '/sys/fs/cgroup/memory.current': String(3 * GiB),
      '/sys/fs/cgroup/memory.stat': `anon 5\ninactive_file ${GiB}\n`,
    };
    expect(availableMemory(read({ ...meminfo, ...container }))).toBe(2 * GiB);
    expect(availableMemory(read({ ...meminfo, '/sys/fs/cgroup/memory.max': 'max' }))).toBe(8 * GiB);
  });

  test('knows containers of the old kind, and that they spell no limit as a large number', () => {
    const used = { '/sys/fs/cgroup/memory/memory.usage_in_bytes': String(GiB) };
    const limit = (bytes: string) => ({
      ...meminfo,
      ...used,
      '/sys/fs/cgroup/memory/memory.limit_in_bytes': bytes,
    });
    expect(availableMemory(read(limit(String(3 * GiB))))).toBe(2 * GiB);
    expect(availableMemory(read(limit('9223372036854771712')))).toBe(8 * GiB);
  });
});

describe('the context to load with', () => {
  const plan = {
    computesOn: 'cpu' as const,
    trainContextLength: 32_768,
    modelBytes: 4 * GiB - processBytes,
    contexts: [
      { contextLength: 32_768, bytes: 8 * GiB },
      { contextLength: 16_384, bytes: 4 * GiB },
      { contextLength: 8192, bytes: 2 * GiB },
    ],
  };

  test('is the largest that takes at most half of what is free', () => {
    expect(chooseContext(plan, 64 * GiB)?.contextLength).toBe(32_768);
    expect(chooseContext(plan, 13 * GiB)).toEqual({ contextLength: 16_384, bytes: 8 * GiB });
  });

  test('is the smallest where that just fits', () => {
    expect(chooseContext(plan, 6 * GiB)?.contextLength).toBe(8192);
  });

  test('is none where the smallest does not fit', () => {
    expect(chooseContext(plan, 6 * GiB - 1)).toBeUndefined();
    expect(leastBytes(plan)).toBe(6 * GiB);
  });
});
