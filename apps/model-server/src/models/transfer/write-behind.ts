import { readBytes } from './direct-reads.js';

/** So much is gathered before it goes to disk in one call. */
const gatheredBytes = 1024 * 1024;

/** Room for one more read, so that none has to be cut in two. */
const bufferBytes = gatheredBytes + readBytes;

/** Gathers small parts in two buffers that take turns, one filling while the other goes to disk. */
export class WriteBehind {
  private filling = Buffer.allocUnsafeSlow(bufferBytes);
  private resting = Buffer.allocUnsafeSlow(bufferBytes);
  private filled = 0;
  private isWriting = false;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private position: number,
    private readonly write: (content: Buffer, position: number) => Promise<void>,
  ) {}

  /** Takes a copy. When both buffers are full the promise says when there is room for the next part. */
  add(part: Buffer): Promise<void> | undefined {
    const copied = part.copy(this.filling, this.filled);
    this.filled += copied;
    if (this.filled < gatheredBytes) return undefined;
    if (!this.isWriting) {
      this.takeTurns();
      return this.add(part.subarray(copied));
    }
    const rest = Buffer.from(part.subarray(copied));
    return this.writing.then(() => {
      this.takeTurns();
      return this.add(rest);
    });
  }

  /** Everything that was added is written; throws what the disk said, now or before. */
  async finish(): Promise<void> {
    while (this.isWriting) await this.writing;
    this.takeTurns();
    await this.writing;
  }

  private takeTurns(): void {
    const content = this.filling.subarray(0, this.filled);
    this.isWriting = true;
    this.writing = this.write(content, this.position).then(() => {
      this.isWriting = false;
    });
    // A disk error is met by whoever waits next; until then it must not count as unhandled.
    this.writing.catch(() => undefined);
    this.position += this.filled;
    this.filled = 0;
    [this.filling, this.resting] = [this.resting, this.filling];
  }
}
