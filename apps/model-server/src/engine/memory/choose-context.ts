import type { LoadPlan } from '../ipc/child-message.js';

/** What a process needs besides weights and context: the program itself and what it computes with. */
export const processBytes = 150 * 2 ** 20;

/** A context nobody asked for may take this much of the free memory: others want some, too. */
const defaultShare = 0.5;

export interface ContextChoice {
  readonly contextLength: number;
  readonly bytes: number;
}

/** What a model needs with the smallest context on offer. */
export function leastBytes(plan: LoadPlan): number {
  return plan.modelBytes + processBytes + (plan.contexts.at(-1)?.bytes ?? 0);
}

/**
 * The context to load with: the largest on offer that leaves room for others, else the smallest if that fits at all.
 * An explicitly wanted context is the only one on offer.
 */
export function chooseContext(plan: LoadPlan, availableBytes: number): ContextChoice | undefined {
  const fixed = plan.modelBytes + processBytes;
  const generous = plan.contexts.find(
    ({ bytes }) => fixed + bytes <= availableBytes && bytes <= (availableBytes - fixed) * defaultShare,
  );
  const last = plan.contexts.at(-1);
  const chosen = generous ?? (last && fixed + last.bytes <= availableBytes ? last : undefined);
  return chosen && { contextLength: chosen.contextLength, bytes: fixed + chosen.bytes };
}
