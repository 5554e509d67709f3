import { expect, test } from '@jest/globals';
import { gather } from './gather.js';

/** A store whose queries are counted, and whose content is read at the moment a query is sent. */
function createStore(content: Map<string, number>) {
  const queries: (readonly string[])[] = [];
  const find = gather(async (keys) => {
    queries.push(keys);
    const seen = new Map(content);
    await new Promise((resolve) => setImmediate(resolve));
    return seen;
  });
  return { find, queries };
}

test('what is asked at the same moment is asked with one query, each key once', async () => {
  const { find, queries } = createStore(new Map([['a', 1]]));
  expect(await Promise.all([find('a'), find('b'), find('a')])).toEqual([1, undefined, 1]);
  expect(queries).toEqual([['a', 'b']]);
});

test('a question that comes while a query is under way is not answered by it', async () => {
  const content = new Map([['token', 1]]);
  const { find, queries } = createStore(content);
  const before = find('token');
  while (queries.length === 0) await new Promise((resolve) => setImmediate(resolve));
  content.delete('token');
  expect(await find('token')).toBeUndefined();
  expect(await before).toBe(1);
  expect(queries).toHaveLength(2);
});

test('a failed query fails those who waited for it, and nobody after them', async () => {
  let fails = true;
  const find = gather(async () => {
    if (fails) throw new Error('gone');
    return new Map([['a', 1]]);
  });
  const results = await Promise.allSettled([find('a'), find('b')]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await find('a')).toBe(1);
});

test('one query never grows without bound, and none of its questions is lost', async () => {
  const { find, queries } = createStore(new Map());
  await Promise.all(Array.from({ length: 250 }, (_, n) => find(String(n))));
  expect(queries.map((keys) => keys.length)).toEqual([100, 100, 50]);
});
