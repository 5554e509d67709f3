import { write } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/** Writes all of it at this position, however little the disk takes at once. By callback: a promise per call costs more. */
export async function writeFully(file: FileHandle, content: Buffer, position: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const from = (start: number) => {
      write(file.fd, content, start, content.length - start, position + start, (error, written) => {
        if (error) reject(error);
        else if (start + written < content.length) from(start + written);
        else resolve();
      });
    };
    from(0);
  });
}
