import { expect, test } from '@jest/globals';
import { isPrefixComing, prefixWorthCopying } from './shared-prefix.js';

const tokens = (length: number, first = 1) => Array.from({ length }, (_, index) => first + index);
const holding = (held: readonly number[], coming: readonly number[] = []) => ({ tokens: held, coming });

test('the longest prefix is copied, if it spares enough', () => {
  const holders = [holding(tokens(90, 500)), holding(tokens(80)), holding(tokens(200))];
  const find = (alreadyThere: number) =>
    prefixWorthCopying(holders, tokens(120), { alreadyThere, leastGain: 64 });
  expect(find(0)).toEqual({ holder: holders[2], commonTokens: 120 });
  expect(find(56)?.commonTokens).toBe(120);
  expect(find(57)).toBeUndefined();
});

test('a prompt waits while another computes its prefix, and no longer', () => {
  const prompt = [...tokens(300), 9000];
  const reading = (held: number) => [holding([]), holding(tokens(held), [...tokens(300), 8000])];
  expect(isPrefixComing(reading(0), prompt, 64)).toBe(true);
  expect(isPrefixComing(reading(236), prompt, 64)).toBe(true);
  expect(isPrefixComing(reading(237), prompt, 64)).toBe(false);
});

test('a prompt does not wait for what an idle sequence holds, nor for another prompt', () => {
  expect(isPrefixComing([holding(tokens(300)), holding([], tokens(300))], tokens(300), 64)).toBe(false);
  expect(isPrefixComing([holding([], tokens(300, 500))], tokens(300), 64)).toBe(false);
  expect(isPrefixComing([], tokens(300), 64)).toBe(false);
});
