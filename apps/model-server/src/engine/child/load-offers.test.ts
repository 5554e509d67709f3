import { describe, expect, test } from '@jest/globals';
import { type MemoryEstimates, offerOnBoth, offerOnGpu, offersInMemory } from './load-offers.js';
import type { Room } from './room-ladder.js';

const GiB = 2 ** 30;
const layers = 32;
const rooms = [32_768, 16_384, 8192, 4096, 2048].map((contextLength) => ({ contextLength, sequences: 4 }));
const [largest, smallest] = [rooms[0], rooms.at(-1)] as [Room, Room];

/** A model of 4 GiB of weights with a context of 16 GiB at its full length, both spread evenly over the layers. */
const estimates: MemoryEstimates = {
  model: async (gpuLayers) => split(4 * GiB, gpuLayers),
  context: async ({ contextLength }, gpuLayers) => split((contextLength / 32_768) * 16 * GiB, gpuLayers),
};

function split(bytes: number, gpuLayers: number) {
  const gpuVram = (bytes * gpuLayers) / layers;
  return { gpuVram, cpuRam: bytes - gpuVram };
}

describe('a model whose layers all fit on the GPU', () => {
  test('gets its whole context where that leaves room for others', async () => {
    expect(await offerOnGpu(rooms, layers, 80 * GiB, estimates)).toEqual({
      contextLength: 32_768,
      sequences: 4,
      gpuLayers: layers,
      modelBytes: 0,
      contextBytes: 0,
      vramBytes: 20 * GiB,
    });
  });

  test('gets the largest context that takes at most three quarters of what the weights leave free', async () => {
    expect((await offerOnGpu(rooms, layers, 12 * GiB, estimates))?.contextLength).toBe(8192);
    expect((await offerOnGpu(rooms, layers, 9 * GiB, estimates))?.contextLength).toBe(4096);
  });

  test('gets the smallest context to its last byte, rather than leave the GPU', async () => {
    expect((await offerOnGpu(rooms, layers, 5 * GiB, estimates))?.contextLength).toBe(2048);
    expect(await offerOnGpu(rooms, layers, 5 * GiB - 1, estimates)).toBeUndefined();
  });

  test('gets a context that was asked for in full, or not at all', async () => {
    expect((await offerOnGpu([largest], layers, 20 * GiB, estimates))?.contextLength).toBe(32_768);
    expect(await offerOnGpu([largest], layers, 20 * GiB - 1, estimates)).toBeUndefined();
  });
});

describe('a model that is too large for the GPU', () => {
  test('has as many layers there as fit, and says what the others take in memory', async () => {
    const offer = await offerOnBoth(smallest, layers, 2.5 * GiB, estimates);
    expect(offer).toEqual({
      contextLength: 2048,
      sequences: 4,
      gpuLayers: 16,
      modelBytes: 2 * GiB,
      contextBytes: 0.5 * GiB,
      vramBytes: 2.5 * GiB,
    });
  });

  test('is left to the CPU where not one layer fits', async () => {
    expect(await offerOnBoth(smallest, layers, 0.1 * GiB, estimates)).toBeUndefined();
    expect(await offerOnBoth(smallest, layers, 0, estimates)).toBeUndefined();
  });
});

test('in main memory every context is offered, the largest first', async () => {
  const offers = await offersInMemory(rooms, estimates);
  expect(offers.map(({ contextLength, sequences }) => ({ contextLength, sequences }))).toEqual(rooms);
  expect(offers[0]).toEqual({
    contextLength: 32_768,
    sequences: 4,
    gpuLayers: 0,
    modelBytes: 4 * GiB,
    contextBytes: 16 * GiB,
    vramBytes: 0,
  });
});
