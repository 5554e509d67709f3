import { expect, test } from '@jest/globals';
import { chooseSlot, type SlotView } from './choose-slot.js';

const tokens = (length: number, first = 1) => Array.from({ length }, (_, index) => first + index);

function slots(...changes: Partial<SlotView>[]): SlotView[] {
  return changes.map((change, index) => ({
    index,
    busy: false,
    tokens: [],
    cacheKey: undefined,
    lastUsed: 0,
    ...change,
  }));
}

test('takes the idle sequence with the longest common prefix', () => {
  const all = slots({ tokens: tokens(20) }, { tokens: tokens(50) }, { tokens: tokens(90), busy: true });
  expect(chooseSlot(all, tokens(60), undefined)).toEqual({ index: 1, commonTokens: 50 });
});

test('has none where all are busy', () => {
  expect(chooseSlot(slots({ busy: true }), tokens(5), undefined)).toBeUndefined();
});

test('keeps a warm conversation when an empty sequence serves as well', () => {
  const all = slots({ tokens: tokens(40, 500), lastUsed: 1 }, {});
  expect(chooseSlot(all, tokens(10), undefined)?.index).toBe(1);
});

test('overwrites the conversation that has been idle longest', () => {
  const all = slots({ tokens: tokens(9, 500), lastUsed: 7 }, { tokens: tokens(9, 700), lastUsed: 3 });
  expect(chooseSlot(all, tokens(10), undefined)?.index).toBe(1);
});

test('a few common tokens are no reason to overwrite a conversation', () => {
  const all = slots({ tokens: [1, 2, 3, 900, 901], lastUsed: 1 }, {});
  expect(chooseSlot(all, tokens(10), undefined)?.index).toBe(1);
});

test('stays beside the busy sequences, so that they are computed together', () => {
  const all = slots({}, {}, { busy: true }, {}, {});
  expect(chooseSlot(all, tokens(5), undefined)?.index).toBe(1);
  const gap = slots({ busy: true }, {}, {}, { tokens: tokens(30) });
  expect(chooseSlot(gap, tokens(31), undefined)?.index).toBe(3);
});

test('a cache key leads back to its sequence where the prefixes are alike', () => {
  const all = slots(
    { tokens: tokens(30), cacheKey: 'a', lastUsed: 9 },
    { tokens: tokens(30), cacheKey: 'b' },
  );
  expect(chooseSlot(all, tokens(40), 'a')?.index).toBe(0);
  expect(chooseSlot(all, tokens(40), 'b')?.index).toBe(1);
});
