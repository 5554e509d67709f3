import { commonPrefixLength } from './choose-slot.js';

/** A sequence as others see it who might take its prefix. */
export interface PrefixHolder {
  /** The tokens whose state it holds. */
  readonly tokens: readonly number[];
  /** What it will hold soon: the prompt that is just being read into it. */
  readonly coming: readonly number[];
}

/** The holder whose prefix spares the computing of at least so many tokens, compared with what is there already. */
export function prefixWorthCopying<Holder extends PrefixHolder>(
  holders: readonly Holder[],
  prompt: readonly number[],
  { alreadyThere, leastGain }: { readonly alreadyThere: number; readonly leastGain: number },
): { readonly holder: Holder; readonly commonTokens: number } | undefined {
  let best: { holder: Holder; commonTokens: number } | undefined;
  for (const holder of holders) {
    const commonTokens = commonPrefixLength(holder.tokens, prompt);
    if (commonTokens - alreadyThere < leastGain) continue;
    if (commonTokens > (best?.commonTokens ?? 0)) best = { holder, commonTokens };
  }
  return best;
}

/**
 * Whether a good part of the prompt is being computed for another request right now. Who waits for that part starts
 * later but is done sooner, and nobody computes it twice.
 */
export function isPrefixComing(
  holders: readonly PrefixHolder[],
  prompt: readonly number[],
  leastGain: number,
): boolean {
  const longest = (tokens: (holder: PrefixHolder) => readonly number[]) =>
    Math.max(0, ...holders.map((holder) => commonPrefixLength(tokens(holder), prompt)));
  const soon = longest(({ coming }) => coming);
  return soon >= leastGain && soon - longest(({ tokens }) => tokens) >= leastGain;
}
