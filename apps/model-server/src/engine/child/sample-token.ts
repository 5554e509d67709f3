import type { Sampling } from '../../generation/sampling.js';

export interface Candidate {
  readonly token: number;
  readonly logit: number;
}

/**
 * Chooses a token as llama.cpp's chain does (bias, penalties, top-k, top-p, min-p, temperature, draw), for requests
 * that also want the model's own probabilities: the native chain gives only those left after it has cut them down.
 */
export function sampleToken(
  candidates: readonly Candidate[],
  sampling: Sampling,
  window: readonly number[],
  random: () => number,
): number {
  const counts = new Map<number, number>();
  for (const token of window) counts.set(token, (counts.get(token) ?? 0) + 1);
  const weighed = candidates
    .map(({ token, logit }) => ({ token, logit: adjusted(token, logit, sampling, counts.get(token) ?? 0) }))
    .filter(({ logit }) => logit > Number.NEGATIVE_INFINITY)
    .sort((left, right) => right.logit - left.logit);
  const first = weighed[0] ?? candidates[0];
  if (!first) throw new Error('no candidates to choose from');
  if (sampling.temperature <= 0) return first.token;
  const kept = nucleus(sampling.topK > 0 ? weighed.slice(0, sampling.topK) : weighed, sampling);
  return draw(kept, first.logit, sampling.temperature, random) ?? first.token;
}

function adjusted(token: number, logit: number, sampling: Sampling, count: number): number {
  const bias = sampling.logitBias[token] ?? 0;
  if (bias <= -100) return Number.NEGATIVE_INFINITY;
  let value = logit + bias;
  if (count === 0) return value;
  if (sampling.repeatLastN !== 0) {
    value = value <= 0 ? value * sampling.repeatPenalty : value / sampling.repeatPenalty;
  }
  return value - count * sampling.frequencyPenalty - sampling.presencePenalty;
}

function nucleus(sorted: readonly Candidate[], sampling: Sampling): readonly Candidate[] {
  const best = sorted[0]?.logit ?? 0;
  const weights = sorted.map(({ logit }) => Math.exp(logit - best));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  let end = 0;
  while (end < sorted.length) {
    const weight = weights[end] ?? 0;
    if (end > 0 && weight < sampling.minP) break;
    sum += weight / total;
    end += 1;
    if (sum >= sampling.topP) break;
  }
  return sorted.slice(0, end);
}

function draw(kept: readonly Candidate[], best: number, temperature: number, random: () => number) {
  const weights = kept.map(({ logit }) => Math.exp((logit - best) / temperature));
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, weight] of weights.entries()) {
    left -= weight;
    if (left <= 0) return kept[index]?.token;
  }
  return kept.at(-1)?.token;
}

/** A small seeded generator of uniform numbers (mulberry32): the same seed draws the same tokens. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
