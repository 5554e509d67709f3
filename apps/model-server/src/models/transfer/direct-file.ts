import { constants, write } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Every disk can be written in these. */
const pageBytes = 4096;

/**
 * A file written past the system's cache, straight from our memory. To copy a download into the cache costs as much of
 * the processor as to receive it, and on a fast network that is what it waits for.
 */
export class DirectFile {
  private isUsable = true;

  private constructor(private readonly file: FileHandle) {}

  /** Undefined where the system or the file system has no such way. */
  static async open(path: string): Promise<DirectFile | undefined> {
    if (constants.O_DIRECT === undefined) return undefined;
    try {
      return new DirectFile(await open(path, constants.O_WRONLY | constants.O_DIRECT));
    } catch {
      return undefined;
    }
  }

  /** Whether it can be tried: whole pages, as the disk wants them. The memory must begin on a page, too. */
  takes(content: Buffer, position: number): boolean {
    return this.isUsable && position % pageBytes === 0 && content.length % pageBytes === 0;
  }

  /** False when it is not all written, and has to go the usual way, which then tells what is wrong. */
  async write(content: Buffer, position: number): Promise<boolean> {
    const written = await new Promise<number>((resolve) => {
      write(this.file.fd, content, 0, content.length, position, (error, bytes) => resolve(error ? 0 : bytes));
    });
    this.isUsable &&= written === content.length;
    return written === content.length;
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}
