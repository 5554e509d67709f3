import type { LoadOffer } from '../ipc/child-message.js';
import type { Room } from './room-ladder.js';

/** What one way to load a model takes, by where it takes it. */
export interface MemoryNeeds {
  readonly cpuRam: number;
  readonly gpuVram: number;
}

/** Estimates without loading anything. */
export interface MemoryEstimates {
  model(gpuLayers: number): Promise<MemoryNeeds>;
  context(room: Room, gpuLayers: number): Promise<MemoryNeeds>;
}

/** A context nobody asked for may take this much of what the weights leave free on the GPU: other models want some, too. */
const defaultShare = 0.75;

/** The ways to load a model into main memory, from the most room to the least. */
export async function offersInMemory(
  rooms: readonly Room[],
  estimates: MemoryEstimates,
): Promise<LoadOffer[]> {
  return await Promise.all(rooms.map((room) => offer(estimates, room, 0)));
}

/** All layers on the GPU: with the largest room that leaves some for others, else with the least if that fits at all. */
export async function offerOnGpu(
  rooms: readonly Room[],
  totalLayers: number,
  freeVram: number,
  estimates: MemoryEstimates,
): Promise<LoadOffer | undefined> {
  const weights = (await estimates.model(totalLayers)).gpuVram;
  const free = freeVram - weights;
  for (const room of rooms) {
    const context = (await estimates.context(room, totalLayers)).gpuVram;
    const share = room === rooms.at(-1) ? 1 : defaultShare;
    if (context <= free * share) return await offer(estimates, room, totalLayers);
  }
  return undefined;
}

/** As many layers on the GPU as fit there, the others in main memory; undefined where not one fits. */
export async function offerOnBoth(
  room: Room,
  totalLayers: number,
  freeVram: number,
  estimates: MemoryEstimates,
): Promise<LoadOffer | undefined> {
  let best: LoadOffer | undefined;
  let least = 1;
  let most = totalLayers - 1;
  while (least <= most) {
    const middle = Math.ceil((least + most) / 2);
    const tried = await offer(estimates, room, middle);
    if (tried.vramBytes <= freeVram) {
      best = tried;
      least = middle + 1;
    } else {
      most = middle - 1;
    }
  }
  return best;
}

async function offer(estimates: MemoryEstimates, room: Room, gpuLayers: number): Promise<LoadOffer> {
  const model = await estimates.model(gpuLayers);
  const context = await estimates.context(room, gpuLayers);
  return {
    ...room,
    gpuLayers,
    modelBytes: model.cpuRam,
    contextBytes: context.cpuRam,
    vramBytes: model.gpuVram + context.gpuVram,
  };
}
