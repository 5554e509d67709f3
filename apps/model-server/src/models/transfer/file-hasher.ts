import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Worker } from 'node:worker_threads';

/**
 * Runs in a thread of its own: reads the file up to where it has been told that it is complete, and sleeps until it is
 * told of more. It reads and waits without an event loop, because each turn of one costs as much as a block's hash. It
 * is text and not a file of its own, so that it runs alike from the sources (in tests) and from the build.
 */
const workerSource = `
const { parentPort, workerData } = require('node:worker_threads');
const { createHash } = require('node:crypto');
const { closeSync, openSync, readSync } = require('node:fs');
const { path, sizeBytes, stepBytes, completeSteps, blockBytes } = workerData;
const file = openSync(path, 'r');
const hash = createHash('sha256');
const block = Buffer.allocUnsafeSlow(blockBytes);
let position = 0;
while (position < sizeBytes) {
  const steps = Atomics.load(completeSteps, 0);
  const upTo = Math.min(steps * stepBytes, sizeBytes);
  if (position === upTo) Atomics.wait(completeSteps, 0, steps);
  while (position < upTo) {
    const length = readSync(file, block, 0, Math.min(blockBytes, upTo - position), position);
    if (length === 0) throw new Error('the file is shorter than it was');
    hash.update(block.subarray(0, length));
    position += length;
  }
}
closeSync(file);
parentPort.postMessage(hash.digest('hex'));
`;

/** Small enough to be still in the cache of the core when it is hashed. */
const blockBytes = 256 * 1024;

/** The SHA-256 of a file, worked out behind the download while it goes on, so that the end is not waited for twice. */
export class FileHasher {
  private readonly worker: Worker;
  private readonly result: Promise<string>;
  private readonly completeSteps = new Int32Array(new SharedArrayBuffer(4));

  /** The file is hashed as its steps are complete, each `stepBytes` long but the last. */
  constructor(path: string, sizeBytes: number, stepBytes: number) {
    const { completeSteps } = this;
    const workerData = { path, sizeBytes, stepBytes, completeSteps, blockBytes };
    this.worker = new Worker(workerSource, { eval: true, workerData });
    this.result = new Promise((resolve, reject) => {
      this.worker.once('message', resolve);
      this.worker.once('error', reject);
    });
    // Whoever gives up on a download need not ask for the result.
    this.result.catch(() => undefined);
  }

  /** So many steps from the start are in the file. */
  advance(steps: number): void {
    if (steps <= (this.completeSteps[0] ?? 0)) return;
    Atomics.store(this.completeSteps, 0, steps);
    Atomics.notify(this.completeSteps, 0);
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
