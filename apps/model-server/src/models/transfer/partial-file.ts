import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ChunkJournal, chunkBytes } from './chunk-journal.js';
import { DirectFile } from './direct-file.js';
import { FileHasher, hashFile } from './file-hasher.js';
import type { ReceiveRing } from './receive-ring.js';
import { missingGaps } from './span-plan.js';
import { writeFully } from './write-fully.js';

/** Below this a thread for hashing costs more than it saves. */
const hashBehindFromBytes = 32 * chunkBytes;

/** So much goes on its way to the disk at a time while the download goes on, so that its end need not wait for all. */
const syncEveryBytes = 64 * chunkBytes;

/** A file that is being downloaded: its bytes, the journal of what has arrived, and its hash so far. */
export class PartialFile {
  private readonly written: Uint32Array;
  private hasher: FileHasher | undefined;
  private complete = 0;
  private completedBytes = 0;
  private lastWrite: Promise<unknown> = Promise.resolve();
  private unsyncedBytes = 0;
  private syncing: Promise<void> | undefined;
  private failure: { readonly reason: unknown } | undefined;

  private constructor(
    private readonly dataPath: string,
    private readonly journalPath: string,
    readonly sizeBytes: number,
    private readonly data: FileHandle,
    private readonly journal: ChunkJournal,
    /** Only where the thread may stand still. */
    private readonly direct: DirectFile | undefined,
    readonly mayBlock: boolean,
  ) {
    this.written = new Uint32Array(journal.chunkCount);
    for (let chunk = 0; chunk < journal.chunkCount; chunk += 1) {
      if (journal.done[chunk] !== 1) continue;
      this.written[chunk] = this.lengthOf(chunk);
      this.completedBytes += this.lengthOf(chunk);
    }
    this.followComplete();
  }

  /** Takes up what an earlier attempt, or an earlier process, has left. */
  static async open(basePath: string, sizeBytes: number, mayBlock: boolean): Promise<PartialFile> {
    await mkdir(path.dirname(basePath), { recursive: true });
    const dataPath = PartialFile.dataPath(basePath);
    const journalPath = journalOf(basePath);
    const journal = await ChunkJournal.open(journalPath, sizeBytes);
    let data: FileHandle | undefined;
    let direct: DirectFile | undefined;
    try {
      data = await openForBoth(dataPath);
      // A journal without its data, or with data of another length, speaks of bytes that are not there.
      if ((await data.stat()).size !== sizeBytes) {
        await journal.forget();
        await data.truncate(0);
        await data.truncate(sizeBytes);
      }
      direct = mayBlock ? await DirectFile.open(dataPath) : undefined;
      return new PartialFile(dataPath, journalPath, sizeBytes, data, journal, direct, mayBlock);
    } catch (error) {
      await Promise.allSettled([direct?.close(), data?.close(), journal.close()]);
      throw error;
    }
  }

  static dataPath(basePath: string): string {
    return `${basePath}.data`;
  }

  /** Once the data has gone to its place. */
  static async discardJournal(basePath: string): Promise<void> {
    await rm(journalOf(basePath), { force: true });
  }

  /** How much of it is there, without taking it up: left by an earlier attempt, or being written by another server. */
  static async leftBehind(basePath: string, sizeBytes: number): Promise<number> {
    try {
      if ((await stat(PartialFile.dataPath(basePath))).size !== sizeBytes) return 0;
      const missing = missingGaps(await ChunkJournal.read(journalOf(basePath), sizeBytes), sizeBytes);
      return missing.reduce((left, gap) => left - (gap.end - gap.start), sizeBytes);
    } catch {
      return 0;
    }
  }

  get bytesOnDisk(): number {
    return this.completedBytes;
  }

  gaps(): { start: number; end: number }[] {
    return missingGaps(this.journal.done, this.sizeBytes);
  }

  /** Writes go one after the other: side by side they only spin on the file's own lock. */
  async write(content: Buffer, position: number): Promise<void> {
    const turn = this.lastWrite.then(() => this.writeLater(content, position));
    this.lastWrite = turn.catch(() => undefined);
    await turn;
  }

  private async writeLater(content: Buffer, position: number): Promise<void> {
    if (this.failure) throw this.failure.reason;
    await writeFully(this.data, content, position);
    this.unsyncedBytes += content.length;
    this.record(position, content.length);
  }

  /** The memory through which bytes pass that come in the order of the file; undefined when these are not the next. */
  ringAt(position: number): ReceiveRing | undefined {
    return this.hasher?.ring.isNext(position) ? this.hasher.ring : undefined;
  }

  /** What comes from now on comes slowly or out of order, and is best left in the system's cache, to be hashed from there. */
  closeRing(): void {
    this.hasher?.ring.close();
  }

  /** Past the system's cache while the thread goes on, or on the spot where that cannot be. From the memory of the ring. */
  async writeAside(content: Buffer, position: number): Promise<void> {
    if (this.failure) throw this.failure.reason;
    const isWritten = this.direct?.takes(content, position) && (await this.direct.write(content, position));
    if (isWritten) this.record(position, content.length);
    else this.writeNow(content, position);
  }

  /** Stands still until it is written. */
  writeNow(content: Buffer, position: number): void {
    if (this.failure) throw this.failure.reason;
    for (let done = 0; done < content.length; ) {
      done += writeSync(this.data.fd, content, done, content.length - done, position + done);
    }
    this.unsyncedBytes += content.length;
    this.record(position, content.length);
  }

  private record(position: number, length: number): void {
    const finished: number[] = [];
    for (let at = position; at < position + length; ) {
      const chunk = Math.floor(at / chunkBytes);
      const upTo = Math.min((chunk + 1) * chunkBytes, position + length);
      const before = this.written[chunk] ?? 0;
      this.written[chunk] = before + (upTo - at);
      if (this.written[chunk] === this.lengthOf(chunk)) finished.push(chunk);
      at = upTo;
    }
    this.completedBytes += length;
    this.syncBehind();
    if (finished.length === 0) return;
    this.journal.add(finished).catch((reason: unknown) => {
      this.failure ??= { reason };
    });
    this.followComplete();
  }

  /** An error of the disk is told only once, so the one that comes now must be kept for `sync`. */
  private syncBehind(): void {
    if (this.syncing || this.unsyncedBytes < syncEveryBytes) return;
    this.unsyncedBytes = 0;
    this.syncing = this.data
      .datasync()
      .catch((reason: unknown) => {
        this.failure ??= { reason };
      })
      .finally(() => {
        this.syncing = undefined;
      });
  }

  private followComplete(): void {
    const { done, chunkCount } = this.journal;
    while (this.complete < chunkCount && done[this.complete] === 1) this.complete += 1;
    if (this.sizeBytes < hashBehindFromBytes) return;
    this.hasher ??= new FileHasher(this.dataPath, this.sizeBytes, chunkBytes, this.complete);
    this.hasher.ring.advance(this.complete);
  }

  /** Starts over: nothing that is on disk counts. */
  async forget(): Promise<void> {
    await this.hasher?.close();
    this.hasher = undefined;
    this.written.fill(0);
    this.complete = 0;
    this.completedBytes = 0;
    await this.journal.forget();
  }

  /** The SHA-256 of the whole file in hex, once every byte is there. */
  async digestHex(signal: AbortSignal): Promise<string> {
    if (!this.hasher) return await hashFile(this.dataPath, signal);
    return await unlessAborted(this.hasher.finish(), signal);
  }

  /** On disk for good, so that what is published next survives a loss of power. */
  async sync(): Promise<void> {
    await this.syncing;
    await this.data.datasync();
    if (this.failure) throw this.failure.reason;
  }

  async close(): Promise<void> {
    await this.hasher?.close();
    await this.lastWrite;
    await this.syncing;
    await this.direct?.close();
    await this.data.close();
    await this.journal.close();
  }

  async discard(): Promise<void> {
    await rm(this.dataPath, { force: true });
    await rm(this.journalPath, { force: true });
  }

  private lengthOf(chunk: number): number {
    return Math.min(chunkBytes, this.sizeBytes - chunk * chunkBytes);
  }
}

/** A hash that has much to catch up on is not waited for by somebody who has left. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const left = new AbortController();
  try {
    const aborted = once(signal, 'abort', { signal: left.signal }).then(
      () => signal.throwIfAborted() as never,
    );
    return await Promise.race([work, aborted]);
  } finally {
    left.abort();
  }
}

function journalOf(basePath: string): string {
  return `${basePath}.journal`;
}

async function openForBoth(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return await open(file, 'w+', 0o644);
  }
}
