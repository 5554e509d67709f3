import { expect, test } from '@jest/globals';
import { WriteThrough } from './write-through.js';

test('a write that failed is told at the end again, although the disk would take more by now', async () => {
  const full = new Error('the disk is full');
  const written: number[] = [];
  let isFull = true;
  const writeNow = (content: Buffer, position: number) => {
    if (isFull) throw full;
    written.push(position, content.length);
  };
  const writer = new WriteThrough({ writeNow }, 0, () => undefined);
  expect(() => writer.add(Buffer.alloc(300_000))).toThrow(full);
  isFull = false;
  await expect(writer.finish()).rejects.toBe(full);
  expect(written).toEqual([]);
});
