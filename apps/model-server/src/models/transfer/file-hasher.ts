import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Worker } from 'node:worker_threads';

/**
 * Runs in a thread of its own: reads the file up to where it has been told that it is complete. It is text and not a
 * file of its own, so that it runs alike from the sources (in tests) and from the build.
 */
const workerSource = `
const { parentPort, workerData } = require('node:worker_threads');
const { createHash } = require('node:crypto');
const { openSync, readSync, closeSync } = require('node:fs');
const file = openSync(workerData.path, 'r');
const hash = createHash('sha256');
const buffer = Buffer.allocUnsafe(1024 * 1024);
let position = 0;
parentPort.on('message', ({ upTo, last }) => {
  while (position < upTo) {
    const read = readSync(file, buffer, 0, Math.min(buffer.length, upTo - position), position);
    if (read === 0) break;
    hash.update(buffer.subarray(0, read));
    position += read;
  }
  if (!last) return;
  closeSync(file);
  parentPort.postMessage(hash.digest('hex'));
  parentPort.close();
});
`;

/** The SHA-256 of a file, worked out behind the download while it goes on, so that the end is not waited for twice. */
export class FileHasher {
  private readonly worker: Worker;
  private readonly result: Promise<string>;
  private told = 0;

  constructor(path: string) {
    this.worker = new Worker(workerSource, { eval: true, workerData: { path } });
    this.result = new Promise((resolve, reject) => {
      this.worker.once('message', resolve);
      this.worker.once('error', reject);
    });
    // Whoever gives up on a download need not ask for the result.
    this.result.catch(() => undefined);
  }

  /** Everything before this position is on disk. */
  advance(upTo: number): void {
    if (upTo <= this.told) return;
    this.told = upTo;
    this.worker.postMessage({ upTo, last: false });
  }

  async finish(sizeBytes: number): Promise<string> {
    this.worker.postMessage({ upTo: sizeBytes, last: true });
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
