import { expect, test } from '@jest/globals';
import { PrefillBudget, shareBudget } from './prefill-budget.js';

test('short prompts get all they need, long ones share the rest', () => {
  expect(shareBudget(100, [10, 500, 500])).toEqual([10, 45, 45]);
  expect(shareBudget(100, [30, 20])).toEqual([30, 20]);
  expect(shareBudget(2, [5, 5, 5])).toEqual([1, 1, 0]);
  expect(shareBudget(7, [])).toEqual([]);
});

test('a prompt alone gets the whole batch', () => {
  expect(new PrefillBudget(512).tokensFor(0)).toBe(512);
});

test('beside running streams a slice is as large as the time allows', () => {
  const fast = new PrefillBudget(512);
  fast.record(512, 10);
  expect(fast.tokensFor(4)).toBe(508);
  const slow = new PrefillBudget(512);
  for (let step = 0; step < 20; step += 1) slow.record(100, 100);
  expect(slow.tokensFor(4)).toBe(60);
  const crawling = new PrefillBudget(512);
  crawling.record(100, 100_000);
  expect(crawling.tokensFor(4)).toBe(32);
});
