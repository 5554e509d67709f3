import type { PartWriter } from './part-writer.js';
import type { PartialFile } from './partial-file.js';

/** So much goes to disk in one call. */
const bufferBytes = 256 * 1024;

/** With less room than this left, the buffer counts as full: a read into so little would not be worth its call. */
const leastRoomBytes = 32 * 1024;

/** Gathers parts and writes them on the spot, in a thread that may stand still meanwhile. */
export class WriteThrough implements PartWriter {
  private readonly buffer = Buffer.allocUnsafeSlow(bufferBytes);
  private filled = 0;
  private failure: { readonly reason: unknown } | undefined;

  constructor(
    private readonly file: Pick<PartialFile, 'writeNow'>,
    private position: number,
    private readonly onProgress: () => void,
  ) {}

  room(): Buffer {
    return this.buffer.subarray(this.filled);
  }

  add(part: Buffer): undefined {
    for (let rest = part; rest.length > 0; ) {
      const isInPlace = rest.buffer === this.buffer.buffer && rest.byteOffset === this.filled;
      const taken = isInPlace ? rest.length : rest.copy(this.buffer, this.filled);
      this.filled += taken;
      rest = rest.subarray(taken);
      if (bufferBytes - this.filled < leastRoomBytes) this.send();
    }
    return undefined;
  }

  async finish(): Promise<void> {
    this.send();
  }

  private send(): void {
    // What came after a failed write is lost: to go on would leave a hole.
    if (this.failure) throw this.failure.reason;
    if (this.filled === 0) return;
    try {
      this.file.writeNow(this.buffer.subarray(0, this.filled), this.position);
    } catch (reason) {
      this.failure = { reason };
      throw reason;
    }
    this.position += this.filled;
    this.filled = 0;
    this.onProgress();
  }
}
