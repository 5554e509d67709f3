import { describe, expect, test } from '@jest/globals';
import { availableMemory } from './available-memory.js';
import { chooseOffer, leastBytes, processBytes } from './choose-offer.js';

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

describe('the way to load', () => {
  const modelBytes = 4 * GiB - processBytes;
  const inMemory = (contextLength: number, contextBytes: number) => ({
    contextLength,
    sequences: 4,
    gpuLayers: 0,
    modelBytes,
    contextBytes,
    vramBytes: 0,
  });
  const plan = {
    computesOn: 'cpu' as const,
    trainContextLength: 32_768,
    offers: [inMemory(32_768, 8 * GiB), inMemory(16_384, 4 * GiB), inMemory(8192, 2 * GiB)],
    wantsGpuRoom: false,
  };

  test('is with the largest context that takes at most half of what is free', () => {
    expect(chooseOffer(plan, 64 * GiB)?.contextLength).toBe(32_768);
    expect(chooseOffer(plan, 13 * GiB)).toEqual(inMemory(16_384, 4 * GiB));
  });

  test('is with the smallest context where that just fits', () => {
    expect(chooseOffer(plan, 6 * GiB)?.contextLength).toBe(8192);
  });

  test('is none where the smallest does not fit', () => {
    expect(chooseOffer(plan, 6 * GiB - 1)).toBeUndefined();
    expect(leastBytes(plan)).toBe(6 * GiB);
  });

  test('is on the GPU where part of the model can go there', () => {
    const onBoth = {
      contextLength: 8192,
      sequences: 4,
      gpuLayers: 20,
      modelBytes: 2 * GiB,
      contextBytes: GiB,
      vramBytes: 3 * GiB,
    };
    const withGpu = { ...plan, computesOn: 'gpu' as const, offers: [onBoth, ...plan.offers] };
    expect(chooseOffer(withGpu, 64 * GiB)).toBe(onBoth);
    expect(chooseOffer(withGpu, 3 * GiB + processBytes)).toBe(onBoth);
    expect(chooseOffer(withGpu, 3 * GiB)).toBeUndefined();
  });
});
