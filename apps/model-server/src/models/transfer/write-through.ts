import { slotBytes } from './hash-feed.js';
import type { PartialFile } from './partial-file.js';

/** With less room than this left, a buffer counts as full: a read into so little would not be worth its call. */
const leastRoomBytes = 32 * 1024;

/** Gathers parts and writes them on the spot, in a thread that may stand still meanwhile. */
export class WriteThrough {
  private own: Buffer | undefined;
  private slot: Buffer | undefined;
  private filled = 0;

  constructor(
    private readonly file: PartialFile,
    private position: number,
    private readonly onProgress: () => void,
  ) {
    this.slot = file.slotFor(position);
  }

  /** Where the next part can be put so that adding it copies nothing. */
  room(): Buffer {
    return this.filling.subarray(this.filled);
  }

  /** Takes a copy, unless the part lies in the room that was given. */
  add(part: Buffer): undefined {
    for (let rest = part; rest.length > 0; ) {
      const { filling } = this;
      const isInPlace =
        rest.buffer === filling.buffer && rest.byteOffset === filling.byteOffset + this.filled;
      const taken = isInPlace ? rest.length : rest.copy(filling, this.filled);
      this.filled += taken;
      rest = rest.subarray(taken);
      if (filling.length - this.filled < leastRoomBytes) this.send();
    }
    return undefined;
  }

  /** Everything that was added is written. */
  async finish(): Promise<void> {
    this.send();
  }

  private get filling(): Buffer {
    if (this.slot) return this.slot;
    this.own ??= Buffer.allocUnsafeSlow(slotBytes);
    return this.own;
  }

  private send(): void {
    if (this.filled === 0) return;
    const content = this.filling.subarray(0, this.filled);
    this.file.writeNow(content, this.position, this.slot !== undefined);
    this.position += this.filled;
    this.filled = 0;
    this.slot = this.file.slotFor(this.position);
    this.onProgress();
  }
}
