/** A sequence of the context, as the choice sees it. */
export interface SlotView {
  readonly index: number;
  readonly busy: boolean;
  /** The tokens whose state it holds. */
  readonly tokens: readonly number[];
  readonly cacheKey: string | undefined;
  readonly lastUsed: number;
}

export interface SlotChoice {
  readonly index: number;
  readonly commonTokens: number;
}

/** Fewer tokens than this cost less to compute than a warm conversation is worth. */
const worthReusing = 8;

/**
 * The idle sequence for a new request: the one with the longest common prefix, because that prefix need not be
 * computed again. Where none is warm for it, a neighbour of the busy ones (llama.cpp computes sequences together only
 * if their numbers follow each other), then an empty one, then the one that has been idle longest.
 */
export function chooseSlot(
  slots: readonly SlotView[],
  prompt: readonly number[],
  cacheKey: string | undefined,
): SlotChoice | undefined {
  let best: { slot: SlotView; rank: readonly number[]; commonTokens: number } | undefined;
  const busy = slots.filter((slot) => slot.busy).map((slot) => slot.index);
  for (const slot of slots) {
    if (slot.busy) continue;
    const commonTokens = commonPrefixLength(slot.tokens, prompt);
    const reused = commonTokens >= worthReusing ? commonTokens : 0;
    const sameConversation = cacheKey !== undefined && slot.cacheKey === cacheKey;
    const rank = [
      reused,
      sameConversation ? 1 : 0,
      -gapTo(busy, slot.index),
      slot.tokens.length === 0 ? 1 : 0,
      -slot.lastUsed,
    ];
    if (!best || isGreater(rank, best.rank)) best = { slot, rank, commonTokens };
  }
  return best && { index: best.slot.index, commonTokens: best.commonTokens };
}

export function commonPrefixLength(left: readonly number[], right: readonly number[]): number {
  const end = Math.min(left.length, right.length);
  let index = 0;
  while (index < end && left[index] === right[index]) index += 1;
  return index;
}

function gapTo(busy: readonly number[], index: number): number {
  if (busy.length === 0) return 0;
  return Math.min(...busy.map((other) => Math.abs(other - index))) - 1;
}

function isGreater(left: readonly number[], right: readonly number[]): boolean {
  for (const [position, value] of left.entries()) {
    const other = right[position] ?? 0;
    if (value !== other) return value > other;
  }
  return false;
}
