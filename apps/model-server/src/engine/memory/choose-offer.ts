import type { LoadOffer, LoadPlan } from '../ipc/child-message.js';

/** What a process needs besides weights and context: the program itself and what it computes with. */
export const processBytes = 150 * 2 ** 20;

/** A context nobody asked for may take this much of the free memory: others want some, too. */
const defaultShare = 0.5;

/** What an offer takes of main memory. */
export function memoryOf({ modelBytes, contextBytes }: LoadOffer): number {
  return modelBytes + processBytes + contextBytes;
}

/** What a model needs at least, however it is loaded. */
export function leastBytes({ offers }: LoadPlan): number {
  return Math.min(...offers.map(memoryOf));
}

/**
 * How to load: the first offer whose context leaves room for others, else the one that takes least, if that fits at
 * all. A context that was asked for is in every offer.
 */
export function chooseOffer(plan: LoadPlan, availableBytes: number): LoadOffer | undefined {
  const leavesRoom = (offer: LoadOffer) =>
    memoryOf(offer) <= availableBytes &&
    offer.contextBytes <= (availableBytes - offer.modelBytes - processBytes) * defaultShare;
  const smallest = plan.offers.find((offer) => memoryOf(offer) === leastBytes(plan));
  return (
    plan.offers.find(leavesRoom) ?? (smallest && memoryOf(smallest) <= availableBytes ? smallest : undefined)
  );
}
