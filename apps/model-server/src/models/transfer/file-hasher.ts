import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { ReceiveRing, ringFields, unitBytes } from './receive-ring.js';

/** So much is hashed, or read from the file, at a time. */
const blockBytes = 256 * 1024;

/**
 * Runs in a thread of its own: hashes what it is fed, or else reads the file up to where it is complete, and sleeps
 * until there is more. It does so without an event loop, because each turn of one costs as much as a block's hash. It
 * is text and not a file of its own, so that it runs alike from the sources (in tests) and from the build.
 */
const workerSource = `
const { parentPort, workerData } = require('node:worker_threads');
const { createHash } = require('node:crypto');
const { closeSync, openSync, readSync } = require('node:fs');
const { path, sizeBytes, stepBytes, blockBytes, unitBytes, ring, fields } = workerData;
const { numbers, memory, begin } = ring;
const file = openSync(path, 'r');
const hash = createHash('sha256');
const block = Buffer.allocUnsafeSlow(blockBytes);
let position = 0;

function hashRing(upTo) {
  const at = position % memory.byteLength;
  const length = Math.min(blockBytes, upTo - position, memory.byteLength - at);
  hash.update(Buffer.from(memory, at, length));
  position += length;
}

function hashFile(upTo) {
  const length = readSync(file, block, 0, Math.min(blockBytes, upTo - position), position);
  if (length === 0) throw new Error('the file is shorter than it was');
  hash.update(block.subarray(0, length));
  position += length;
}

while (position < sizeBytes) {
  const news = Atomics.load(numbers, fields.news);
  // Looked at before the ring: what is complete was fed before, so the file is read only where the ring was not used.
  const complete = Atomics.load(numbers, fields.completeSteps) * stepBytes;
  const fed = Math.min(Atomics.load(numbers, fields.fed) * unitBytes, sizeBytes);
  if (position >= begin && position < fed) {
    hashRing(fed);
    Atomics.store(numbers, fields.hashed, Math.floor(position / unitBytes));
    Atomics.notify(numbers, fields.hashed);
  } else if (position < complete) hashFile(position < begin ? Math.min(complete, begin) : complete);
  else Atomics.wait(numbers, fields.news, news);
}
closeSync(file);
parentPort.postMessage(hash.digest('hex'));
`;

/** The SHA-256 of a file, worked out behind the download while it goes on, so that the end is not waited for twice. */
export class FileHasher {
  private readonly worker: Worker;
  private readonly result: Promise<string>;
  readonly ring: ReceiveRing;

  /** The file is hashed as its steps are complete, each `stepBytes` long but the last; so many are at the beginning. */
  constructor(path: string, sizeBytes: number, stepBytes: number, completeSteps: number) {
    this.ring = new ReceiveRing(Math.min(completeSteps * stepBytes, sizeBytes), sizeBytes);
    this.ring.advance(completeSteps);
    const { shared: ring } = this.ring;
    const workerData = { path, sizeBytes, stepBytes, blockBytes, unitBytes, ring, fields: ringFields };
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
