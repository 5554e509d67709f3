import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { ReceiveRing, ringBytes, ringFields } from './receive-ring.js';
import { RingWriter } from './ring-writer.js';

const megabyte = 1024 * 1024;

/** A ring whose hash is always done at once, and a disk that writes when it is told to. */
function arrange() {
  const ring = new ReceiveRing(0, 4 * ringBytes);
  const { numbers } = ring.shared;
  const writes: { readonly position: number; done(): void; fail(error: Error): void }[] = [];
  const writer = new RingWriter(
    ring,
    {
      writeAside: (_content, position) =>
        new Promise<void>((done, fail) => {
          writes.push({ position, done, fail });
        }),
      writeNow: () => undefined,
    },
    () => undefined,
  );
  const add = (bytes: number) => {
    const held = writer.add(Buffer.alloc(bytes, 1));
    numbers[ringFields.hashed] = numbers[ringFields.fed] ?? 0;
    return held;
  };
  return { writer, writes, add };
}

test('memory is used again only when its bytes are on disk, whichever write is done first', async () => {
  const { writer, writes, add } = arrange();
  for (let filled = megabyte; filled < ringBytes; filled += megabyte) expect(add(megabyte)).toBeUndefined();
  const held = add(megabyte);
  let isHeld = true;
  void held?.then(() => {
    isHeld = false;
  });
  expect(writer.room()).toBeUndefined();
  const [first, ...others] = writes;
  for (const write of others) write.done();
  await turn();
  expect(isHeld).toBe(true);
  expect(writer.room()).toBeUndefined();
  first?.done();
  await held;
  expect(writer.room()).toBeDefined();
});

test('what the disk refuses is told to whoever waits, and again at the end', async () => {
  const { writer, writes, add } = arrange();
  const full = new Error('the disk is full');
  add(megabyte);
  writes[0]?.fail(full);
  for (let filled = 2 * megabyte; filled < ringBytes; filled += megabyte) add(megabyte);
  for (const write of writes.slice(1)) write.done();
  await expect(add(megabyte)).rejects.toBe(full);
  await expect(writer.finish()).rejects.toBe(full);
});
