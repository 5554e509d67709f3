import type { LoadOffer } from '../ipc/child-message.js';

/** What one way to load a model takes, by where it takes it. */
export interface MemoryNeeds {
  readonly cpuRam: number;
  readonly gpuVram: number;
}

/** Estimates without loading anything. */
export interface MemoryEstimates {
  model(gpuLayers: number): Promise<MemoryNeeds>;
  context(contextLength: number, gpuLayers: number): Promise<MemoryNeeds>;
}

/** A context nobody asked for may take this much of what the weights leave free on the GPU: other models want some, too. */
const defaultShare = 0.75;

/** The ways to load a model into main memory, from the largest context to the smallest. */
export async function offersInMemory(
  contexts: readonly number[],
  estimates: MemoryEstimates,
): Promise<LoadOffer[]> {
  return await Promise.all(contexts.map((contextLength) => offer(estimates, contextLength, 0)));
}

/** All layers on the GPU: with the largest context that leaves room there, else with the smallest if that fits at all. */
export async function offerOnGpu(
  contexts: readonly number[],
  totalLayers: number,
  freeVram: number,
  estimates: MemoryEstimates,
): Promise<LoadOffer | undefined> {
  const weights = (await estimates.model(totalLayers)).gpuVram;
  const room = freeVram - weights;
  for (const contextLength of contexts) {
    const context = (await estimates.context(contextLength, totalLayers)).gpuVram;
    const isLast = contextLength === contexts.at(-1);
    if (context <= room * (isLast ? 1 : defaultShare)) {
      return await offer(estimates, contextLength, totalLayers);
    }
  }
  return undefined;
}

/** As many layers on the GPU as fit there, the others in main memory; undefined where not one fits. */
export async function offerOnBoth(
  contextLength: number,
  totalLayers: number,
  freeVram: number,
  estimates: MemoryEstimates,
): Promise<LoadOffer | undefined> {
  let best: LoadOffer | undefined;
  let least = 1;
  let most = totalLayers - 1;
  while (least <= most) {
    const middle = Math.ceil((least + most) / 2);
    const tried = await offer(estimates, contextLength, middle);
    if (tried.vramBytes <= freeVram) {
      best = tried;
      least = middle + 1;
    } else {
      most = middle - 1;
    }
  }
  return best;
}

async function offer(
  estimates: MemoryEstimates,
  contextLength: number,
  gpuLayers: number,
): Promise<LoadOffer> {
  const model = await estimates.model(gpuLayers);
  const context = await estimates.context(contextLength, gpuLayers);
  return {
    contextLength,
    gpuLayers,
    modelBytes: model.cpuRam,
    contextBytes: context.cpuRam,
    vramBytes: model.gpuVram + context.gpuVram,
  };
}
