import type { PartWriter } from './part-writer.js';

/** So much goes to disk in one call. */
const bufferBytes = 1024 * 1024;

/** One fills while the others wait for the disk; a slow connection never needs more than two. */
const maxBuffers = 4;

/** With less room than this left, a buffer counts as full: a read into so little would not be worth its call. */
const leastRoomBytes = 64 * 1024;

/** Gathers small parts in buffers that take turns, one filling while others go to disk. */
export class WriteBehind implements PartWriter {
  private readonly free: Buffer[] = [];
  private filling: Buffer | undefined = Buffer.allocUnsafeSlow(bufferBytes);
  private filled = 0;
  /** The writes under way, the oldest first. */
  private readonly writing: Promise<void>[] = [];
  /** A part that waits for room. */
  private adding: Promise<void> | undefined;

  constructor(
    private position: number,
    private readonly write: (content: Buffer, position: number) => Promise<void>,
  ) {}

  room(): Buffer | undefined {
    return this.filling?.subarray(this.filled);
  }

  add(part: Buffer): Promise<void> | undefined {
    const { filling } = this;
    if (!filling) return this.addLater(Buffer.from(part));
    const isInPlace = part.buffer === filling.buffer && part.byteOffset === this.filled;
    const taken = isInPlace ? part.length : part.copy(filling, this.filled);
    this.filled += taken;
    if (bufferBytes - this.filled >= leastRoomBytes) return undefined;
    this.send(filling);
    if (taken < part.length) return this.add(part.subarray(taken));
    return this.filling ? undefined : this.addLater(noBytes);
  }

  async finish(): Promise<void> {
    // It counts as received. Why it may have failed is told by the writes.
    await this.adding?.catch(() => undefined);
    if (this.filling && this.filled > 0) this.send(this.filling);
    await Promise.all(this.writing);
  }

  private addLater(part: Buffer): Promise<void> {
    this.adding = this.addOnceThereIsRoom(part);
    return this.adding;
  }

  private async addOnceThereIsRoom(part: Buffer): Promise<void> {
    // Until half of them are free again: to stop and go on with every buffer would cost more than the reading itself.
    await this.writing[Math.min(maxBuffers / 2, this.writing.length) - 1];
    this.filling ??= this.free.pop();
    await this.add(part);
  }

  private send(buffer: Buffer): void {
    const written = this.write(buffer.subarray(0, this.filled), this.position).then(() => {
      this.writing.shift();
      this.free.push(buffer);
    });
    // A disk error is met by whoever waits next; until then it must not count as unhandled.
    written.catch(() => undefined);
    this.writing.push(written);
    this.position += this.filled;
    this.filled = 0;
    this.filling = this.free.pop() ?? this.oneMore();
  }

  private oneMore(): Buffer | undefined {
    return this.writing.length < maxBuffers ? Buffer.allocUnsafeSlow(bufferBytes) : undefined;
  }
}

const noBytes = Buffer.alloc(0);
