import { expect, test } from '@jest/globals';
import { startTogether } from './start-together.js';

/** Something that starts after the other has failed, and notes when it is closed. */
function givenStart() {
  const closed: string[] = [];
  const start = async () => {
    await new Promise(setImmediate);
    return { close: async () => closed.push('closed') };
  };
  return { start, closed };
}
const fail = async () => {
  throw new Error('cannot start');
};

test('where one of two cannot start, the other is closed also if it starts later', async () => {
  const first = givenStart();
  await expect(startTogether(first.start, fail)).rejects.toThrow('cannot start');
  expect(first.closed).toEqual(['closed']);
  const second = givenStart();
  await expect(startTogether(fail, second.start)).rejects.toThrow('cannot start');
  expect(second.closed).toEqual(['closed']);
});

test('where both start, both are handed out open', async () => {
  const { start, closed } = givenStart();
  expect(await startTogether(start, start)).toHaveLength(2);
  expect(closed).toEqual([]);
});
