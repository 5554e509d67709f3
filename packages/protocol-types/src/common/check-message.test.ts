import { expect, test } from '@jest/globals';
import { checkMessage } from './check-message.js';
import { either, integerBetween, list, mapOf, number, object, text } from './fields.js';

const schema = object({
  names: either('a string or a list of strings', [text, list(text)]).nullish(),
  sizes: list(integerBetween(0, 9)).nullish(),
  items: list(object({ id: text })).nullish(),
  biases: mapOf(number, 'an object of numbers').nullish(),
});

/** Tells how many items were read: a getter counts each. */
function countedList(item: unknown, length: number) {
  const counter = { read: 0 };
  const items = new Proxy(new Array<unknown>(length).fill(item), {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) counter.read += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  return { items, counter };
}

test('a message that holds is handed over', () => {
  const body = { names: ['a'], sizes: [1], items: [{ id: 'a' }], biases: { '1': 2 } };
  expect(checkMessage(schema, body)).toEqual({ ok: true, message: body });
});

test.each([
  ['names', 3],
  ['sizes', 'a'],
  ['sizes', 10],
  ['sizes', 0.5],
  ['items', 3],
  ['items', {}],
])('%s: reading stops at the first wrong item (%j)', (field, item) => {
  const { items, counter } = countedList(item, 1000);
  const result = checkMessage(schema, { [field]: items });
  expect(result).toMatchObject({ ok: false, problem: { path: expect.stringMatching(`^${field}\\.0`) } });
  expect(counter.read).toBeLessThan(10);
});

test('a map with too many entries is refused as one problem', () => {
  const biases = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [index, 'x']));
  expect(checkMessage(schema, { biases })).toEqual({
    ok: false,
    problem: { path: 'biases', message: 'must have at most 10000 entries' },
  });
});

test.each([[[]], [3], ['x']])('a map that is %j is refused by what it should be', (biases) => {
  expect(checkMessage(schema, { biases })).toEqual({
    ok: false,
    problem: { path: 'biases', message: 'must be an object of numbers' },
  });
});
