import type { FileHandle } from 'node:fs/promises';
import { GgufError } from './gguf-error.js';

const chunkBytes = 256 * 1024;
/** The largest real headers (vocabularies of a few hundred thousand tokens with merges) stay under 32 MB. */
const maxHeaderBytes = 192 * 1024 * 1024;
const maxStringBytes = 8 * 1024 * 1024;

/** Reads forward through the start of a file in chunks. What is in memory already is read without waiting. */
export class GgufCursor {
  private buffer = Buffer.alloc(0);
  private at = 0;
  /** Where in the file `buffer` begins. */
  private base = 0;

  constructor(
    private readonly file: FileHandle,
    readonly fileBytes: number,
  ) {}

  get position(): number {
    return this.base + this.at;
  }

  get remainingBytes(): number {
    return this.fileBytes - this.position;
  }

  has(bytes: number): boolean {
    return this.buffer.length - this.at >= bytes;
  }

  /** Brings the next bytes into memory. Callers ask `has` first, so that the common case does not wait. */
  async need(bytes: number): Promise<void> {
    if (this.has(bytes)) return;
    if (bytes > this.remainingBytes) {
      throw new GgufError('truncated', 'the file ends in the middle of its header; it was not copied whole');
    }
    if (this.position + bytes > maxHeaderBytes) throw new GgufError('corrupt', 'the header is too large');
    const kept = this.buffer.subarray(this.at);
    const wanted = Math.min(Math.max(bytes, chunkBytes), this.remainingBytes);
    const grown = Buffer.allocUnsafe(wanted);
    kept.copy(grown);
    const filledTo = await this.fill(grown, kept.length);
    this.base += this.at;
    this.at = 0;
    this.buffer = grown.subarray(0, filledTo);
    if (!this.has(bytes)) throw new GgufError('truncated', 'the file became shorter while it was read');
  }

  private async fill(target: Buffer, from: number): Promise<number> {
    let filled = from;
    const start = this.position;
    while (filled < target.length) {
      const { bytesRead } = await this.file.read(target, filled, target.length - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return filled;
  }

  async skip(bytes: number): Promise<void> {
    if (this.has(bytes)) {
      this.at += bytes;
      return;
    }
    if (bytes > this.remainingBytes) {
      throw new GgufError('truncated', 'the file ends in the middle of its header; it was not copied whole');
    }
    if (this.position + bytes > maxHeaderBytes) throw new GgufError('corrupt', 'the header is too large');
    this.base = this.position + bytes;
    this.at = 0;
    this.buffer = Buffer.alloc(0);
  }

  take(bytes: number): Buffer {
    const taken = this.buffer.subarray(this.at, this.at + bytes);
    this.at += bytes;
    return taken;
  }

  async uint32(): Promise<number> {
    if (!this.has(4)) await this.need(4);
    return this.take(4).readUInt32LE();
  }

  /** A count, a length or an offset: always small enough to be a plain number in an honest file. */
  async size(): Promise<number> {
    if (!this.has(8)) await this.need(8);
    const value = this.take(8).readBigUInt64LE();
    if (value > BigInt(Number.MAX_SAFE_INTEGER))
      throw new GgufError('corrupt', 'a number in the header is absurd');
    return Number(value);
  }

  async string(): Promise<string> {
    const length = await this.stringLength();
    if (!this.has(length)) await this.need(length);
    return this.take(length).toString('utf8');
  }

  async skipStrings(count: number): Promise<void> {
    for (let left = count; ; left -= 1) {
      left -= this.skipStringsInMemory(left);
      if (left === 0) return;
      await this.skip(await this.stringLength());
    }
  }

  /** Steps over those that are in memory as a whole, and says how many. One of an absurd length is left to the next read. */
  private skipStringsInMemory(most: number): number {
    const { buffer } = this;
    let skipped = 0;
    while (skipped < most && this.has(8)) {
      const length = buffer.readUInt32LE(this.at);
      const isAbsurd = length > maxStringBytes || buffer.readUInt32LE(this.at + 4) !== 0;
      if (isAbsurd || !this.has(8 + length)) break;
      this.at += 8 + length;
      skipped += 1;
    }
    return skipped;
  }

  private async stringLength(): Promise<number> {
    const length = await this.size();
    if (length > maxStringBytes) throw new GgufError('corrupt', 'a text in the header is too long');
    return length;
  }
}
