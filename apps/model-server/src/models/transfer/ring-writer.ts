import { chunkBytes } from './chunk-journal.js';
import type { PartWriter } from './part-writer.js';
import type { PartialFile } from './partial-file.js';
import { type ReceiveRing, ringBytes } from './receive-ring.js';
import { WriteThrough } from './write-through.js';

/** Takes parts into the ring and writes from there while more come in; once the ring is closed it writes through. */
export class RingWriter implements PartWriter {
  private readonly writing: Promise<void>[] = [];
  private sentTo: number;
  private next: WriteThrough | undefined;
  /** A part that waits for room. */
  private adding: Promise<void> | undefined;

  constructor(
    private readonly ring: ReceiveRing,
    private readonly file: Pick<PartialFile, 'writeAside' | 'writeNow'>,
    private readonly onProgress: () => void,
  ) {
    this.sentTo = ring.filledTo;
  }

  room(): Buffer | undefined {
    return this.next ? this.next.room() : this.ring.room();
  }

  add(part: Buffer): Promise<void> | undefined {
    if (this.next) return this.next.add(part);
    let rest = part;
    while (rest.length > 0) {
      const room = this.ring.room();
      if (!room) return this.addLater(Buffer.from(rest));
      const isInPlace = rest.buffer === room.buffer && rest.byteOffset === room.byteOffset;
      const taken = isInPlace ? rest.length : rest.copy(room);
      this.ring.fill(taken);
      rest = rest.subarray(taken);
      this.sendTo(Math.floor(this.ring.filledTo / chunkBytes) * chunkBytes);
    }
    return this.ring.room() ? undefined : this.addLater(rest);
  }

  async finish(): Promise<void> {
    // It counts as received. Why it may have failed is told by the writes.
    await this.adding?.catch(() => undefined);
    this.sendTo(this.ring.filledTo);
    const writing = [...this.writing];
    // All of them, also after one has failed: the file is closed next, and its number may soon be that of another.
    await Promise.allSettled(writing);
    await Promise.all(writing);
    await this.next?.finish();
  }

  private addLater(part: Buffer): Promise<void> {
    this.adding = this.addOnceThereIsRoom(part);
    return this.adding;
  }

  private async addOnceThereIsRoom(part: Buffer): Promise<void> {
    // Until half of the ring is free again: to stop and go on with every write would cost more than the reading itself.
    const enough = ringBytes / chunkBytes / 2;
    await this.writing[Math.min(enough, this.writing.length) - 1];
    if (!this.ring.isNext(this.ring.filledTo)) {
      this.sendTo(this.ring.filledTo);
      this.next = new WriteThrough(this.file, this.ring.filledTo, this.onProgress);
    }
    await this.add(part);
  }

  /** A chunk at a time, or less at the edges of what came. */
  private sendTo(end: number): void {
    while (this.sentTo < end) {
      const start = this.sentTo;
      const upTo = Math.min(end, (Math.floor(start / chunkBytes) + 1) * chunkBytes);
      this.sentTo = upTo;
      this.send(start, upTo);
    }
  }

  private send(start: number, end: number): void {
    const written = this.writeAfter(this.writing.at(-1), start, end);
    // A disk error is met by whoever waits next; until then it must not count as unhandled.
    written.catch(() => undefined);
    this.writing.push(written);
  }

  /** The disk may be done with them in another order; the ring is free again in the order of the file. */
  private async writeAfter(before: Promise<void> | undefined, start: number, end: number): Promise<void> {
    await this.file.writeAside(this.ring.content(start, end), start);
    await before;
    this.writing.shift();
    this.ring.releaseTo(end);
    this.onProgress();
  }
}
