import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { ReceiveRing, ringBytes, ringFields } from './receive-ring.js';
import { RingWriter } from './ring-writer.js';

const megabyte = 1024 * 1024;

/** A ring whose hash is always done at once, and a disk that writes when it is told to. */
function arrange() {
  const ring = new ReceiveRing(0, 4 * ringBytes);
  const { numbers } = ring.shared;
  const writes: { start: number; end: number; done(): void; fail(error: Error): void }[] = [];
  const newWriter = () =>
    new RingWriter(
      ring,
      {
        writeAside: ({ length }, start) =>
          new Promise<void>((done, fail) => {
            writes.push({ start, end: start + length, done, fail });
          }),
        writeNow: () => undefined,
      },
      () => undefined,
    );
  const writer = newWriter();
  const add = (bytes: number) => {
    const held = writer.add(Buffer.alloc(bytes, 1));
    numbers[ringFields.hashed] = numbers[ringFields.fed] ?? 0;
    return held;
  };
  return { ring, newWriter, writer, writes, add };
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
  writes.at(-1)?.done();
  await expect(writer.finish()).rejects.toBe(full);
});

test('a part that waits for room when its connection ends is written too, and the next connection leaves no hole', async () => {
  const { ring, newWriter, writer, writes, add } = arrange();
  for (let filled = megabyte; filled < ringBytes; filled += megabyte) add(megabyte);
  void add(megabyte + 20_001);
  const finished = writer.finish();
  let isFinished = false;
  void finished.then(() => {
    isFinished = true;
  });
  for (let done = 0; !isFinished; await turn()) for (; done < writes.length; done += 1) writes[done]?.done();
  expect(ring.filledTo).toBe(ringBytes + 20_001);
  const next = newWriter();
  next.add(Buffer.alloc(megabyte, 2));
  void next.finish();
  await turn();
  const inOrder = [...writes].sort((a, b) => a.start - b.start);
  expect(inOrder[0]?.start).toBe(0);
  for (const [place, { end }] of inOrder.entries()) {
    expect(end).toBe(inOrder[place + 1]?.start ?? ringBytes + 20_001 + megabyte);
  }
});

test('the end waits for every write, also when one of them has failed', async () => {
  const { writer, writes, add } = arrange();
  add(3 * megabyte);
  let isOver = false;
  const finished = writer.finish().finally(() => {
    isOver = true;
  });
  const outcome = expect(finished).rejects.toThrow('broken');
  writes[0]?.fail(new Error('broken'));
  writes[2]?.done();
  await turn();
  expect(isOver).toBe(false);
  writes[1]?.done();
  await outcome;
});
