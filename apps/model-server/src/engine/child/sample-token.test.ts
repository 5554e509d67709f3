import { expect, test } from '@jest/globals';
import { defaultSampling, type Sampling } from '../../generation/sampling.js';
import { sampleToken, seededRandom } from './sample-token.js';

const plain: Sampling = { ...defaultSampling, temperature: 1, topP: 1, topK: 0, repeatPenalty: 1 };
const candidates = [
  { token: 1, logit: 3 },
  { token: 2, logit: 2 },
  { token: 3, logit: 1 },
  { token: 4, logit: -8 },
];

function shares(sampling: Sampling, window: readonly number[] = []): Record<number, number> {
  const random = seededRandom(1);
  const counts: Record<number, number> = {};
  for (let draw = 0; draw < 20_000; draw += 1) {
    const token = sampleToken(candidates, sampling, window, random);
    counts[token] = (counts[token] ?? 0) + 1 / 20_000;
  }
  return counts;
}

test('draws each token as often as the model thinks it likely', () => {
  const total = Math.exp(3) + Math.exp(2) + Math.exp(1);
  const drawn = shares(plain);
  expect(drawn[1]).toBeCloseTo(Math.exp(3) / total, 1);
  expect(drawn[2]).toBeCloseTo(Math.exp(2) / total, 1);
  expect(drawn[3]).toBeCloseTo(Math.exp(1) / total, 1);
});

test('temperature 0 takes the likeliest', () => {
  expect(shares({ ...plain, temperature: 0 })).toEqual({ 1: expect.closeTo(1) });
});

test.each([
  ['top-k', { topK: 2 }],
  ['top-p', { topP: 0.8 }],
  ['min-p', { minP: 0.3 }],
])('%s leaves only the best two', (_name, change) => {
  expect(Object.keys(shares({ ...plain, ...change }))).toEqual(['1', '2']);
});

test('penalties and biases move the choice', () => {
  const greedy = { ...plain, temperature: 0 };
  const random = seededRandom(1);
  const choose = (change: Partial<Sampling>, window: readonly number[]) =>
    sampleToken(candidates, { ...greedy, ...change }, window, random);
  expect(choose({ repeatPenalty: 2 }, [1])).toBe(2);
  expect(choose({ presencePenalty: 1.5 }, [1])).toBe(2);
  expect(choose({ frequencyPenalty: 0.6 }, [1])).toBe(1);
  expect(choose({ frequencyPenalty: 0.6 }, [1, 1])).toBe(2);
  expect(choose({ logitBias: { 4: 20 } }, [])).toBe(4);
  expect(choose({ logitBias: { 1: -100 } }, [])).toBe(2);
});

test('the same seed draws the same tokens', () => {
  const draw = (seed: number) => {
    const random = seededRandom(seed);
    return Array.from({ length: 50 }, () => sampleToken(candidates, plain, [], random)).join('');
  };
  expect(draw(5)).toBe(draw(5));
  expect(draw(5)).not.toBe(draw(6));
});
