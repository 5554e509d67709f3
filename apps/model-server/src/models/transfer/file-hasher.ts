import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { feedFields, HashFeed, slotBytes } from './hash-feed.js';

/**
 * Runs in a thread of its own: hashes what it is fed, or else reads the file up to where it is complete, and sleeps
 * until there is more. It does so without an event loop, because each turn of one costs as much as a block's hash. It
 * is text and not a file of its own, so that it runs alike from the sources (in tests) and from the build.
 */
const workerSource = `
const { parentPort, workerData } = require('node:worker_threads');
const { createHash } = require('node:crypto');
const { closeSync, openSync, readSync } = require('node:fs');
const { path, sizeBytes, stepBytes, blockBytes, feed, fields } = workerData;
const { numbers, positions, lengths, memory } = feed;
const file = openSync(path, 'r');
const hash = createHash('sha256');
const block = Buffer.allocUnsafeSlow(blockBytes);
const slots = lengths.length;
let position = 0;

/** Hashes the next slot, or lets it go when the file was quicker; where the slot begins when it is not its turn yet. */
function useSlot(emptied) {
  const slot = emptied % slots;
  if (positions[slot] > position) return positions[slot];
  if (positions[slot] === position) {
    hash.update(Buffer.from(memory, slot * blockBytes, lengths[slot]));
    position += lengths[slot];
  }
  Atomics.store(numbers, fields.emptied, emptied + 1);
  Atomics.notify(numbers, fields.emptied);
  return position;
}

function readOn(upTo) {
  const length = readSync(file, block, 0, Math.min(blockBytes, upTo - position), position);
  if (length === 0) throw new Error('the file is shorter than it was');
  hash.update(block.subarray(0, length));
  position += length;
}

while (position < sizeBytes) {
  const news = Atomics.load(numbers, fields.news);
  // Looked at before the slots: what is complete was fed before, so the file is read only where there is no slot.
  const complete = Atomics.load(numbers, fields.completeSteps) * stepBytes;
  const emptied = numbers[fields.emptied];
  const isFed = Atomics.load(numbers, fields.filled) > emptied;
  const fedFrom = isFed ? useSlot(emptied) : sizeBytes;
  if (isFed && fedFrom <= position) continue;
  const upTo = Math.min(complete, fedFrom);
  if (position < upTo) readOn(upTo);
  else Atomics.wait(numbers, fields.news, news);
}
closeSync(file);
parentPort.postMessage(hash.digest('hex'));
`;

/** The SHA-256 of a file, worked out behind the download while it goes on, so that the end is not waited for twice. */
export class FileHasher {
  private readonly worker: Worker;
  private readonly result: Promise<string>;
  readonly feed: HashFeed;

  /** The file is hashed as its steps are complete, each `stepBytes` long but the last; so many are at the beginning. */
  constructor(path: string, sizeBytes: number, stepBytes: number, completeSteps: number) {
    this.feed = new HashFeed(Math.min(completeSteps * stepBytes, sizeBytes));
    this.feed.advance(completeSteps);
    const { shared: feed } = this.feed;
    const workerData = { path, sizeBytes, stepBytes, blockBytes: slotBytes, feed, fields: feedFields };
    this.worker = new Worker(workerSource, { eval: true, workerData });
    this.result = new Promise((resolve, reject) => {
      this.worker.once('message', resolve);
      this.worker.once('error', reject);
    });
    // Whoever gives up on a download need not ask for the result.
    this.result.catch(() => undefined);
  }

  /** Once all steps are complete. */
  async finish(): Promise<string> {
    return await this.result;
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }
}

/** For a file that is complete and not large. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const stream = createReadStream(path, { highWaterMark: 1024 * 1024, ...(signal ? { signal } : {}) });
  for await (const part of stream) hash.update(part as Buffer);
  return hash.digest('hex');
}
