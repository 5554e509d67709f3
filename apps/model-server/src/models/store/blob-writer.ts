import { createHash } from 'node:crypto';
import { constants, createReadStream, type Stats } from 'node:fs';
import { copyFile, link, open, rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { GenerationError } from '../../generation/generation-error.js';
import type { BlobMarks } from './blob-marks.js';
import type { BlobStore } from './blob-store.js';
import type { Digest } from './digest.js';
import type { StoreFolder } from './store-folder.js';
import { syncFile } from './sync-file.js';

/** Brings bytes that are at hand into the store: an upload, or a file of this machine. */
export class BlobWriter {
  constructor(
    private readonly folder: StoreFolder,
    private readonly blobs: BlobStore,
    private readonly uploads: BlobMarks,
  ) {}

  /** Takes an upload; it gets its name only if it hashes to it. */
  async writeStream(expected: Digest, content: Readable): Promise<void> {
    const draft = await this.folder.draftPath();
    const hash = createHash('sha256');
    try {
      const file = await open(draft, 'wx', 0o644);
      try {
        // What goes wrong here must not close the connection: the sender is to be told.
        for await (const part of content.iterator({ destroyOnReturn: false })) {
          hash.update(part as Buffer);
          await file.writeFile(part as Buffer);
        }
        await file.datasync();
      } finally {
        await file.close();
      }
      const actual = `sha256:${hash.digest('hex')}`;
      if (actual !== expected) {
        throw new GenerationError(
          'invalid-request',
          `digest mismatch, expected "${expected}", got "${actual}"`,
          { param: 'digest' },
        );
      }
      await this.uploads.add(expected);
      await this.folder.move(draft, this.blobs.pathOf(expected));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  /** Takes a file in without doubling its bytes where the file system allows it. */
  async importFile(
    path: string,
    signal: AbortSignal,
  ): Promise<{ digest: Digest; size: number; isNew: boolean }> {
    const before = await stat(path);
    const { size } = before;
    const hash = createHash('sha256');
    const stream = createReadStream(path, { highWaterMark: 1024 * 1024, signal });
    for await (const part of stream) hash.update(part as Buffer);
    const digest: Digest = `sha256:${hash.digest('hex')}`;
    if ((await this.blobs.sizeOf(digest)) === size) return { digest, size, isNew: false };
    const draft = await this.folder.draftPath();
    try {
      await cloneFile(path, draft);
      requireSame(path, before, await stat(path));
      await syncFile(draft);
      await this.folder.move(draft, this.blobs.pathOf(digest));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    return { digest, size, isNew: true };
  }
}

/** What was hashed must be what was taken in. */
function requireSame(path: string, before: Stats, after: Stats): void {
  const facts = ['ino', 'size', 'mtimeMs'] as const;
  if (facts.every((fact) => before[fact] === after[fact])) return;
  throw new GenerationError('conflict', `${path} was changed while it was read; try again`);
}

/** A clone shares its bytes until one side changes; a hard link shares them for good; a copy is the last resort. */
async function cloneFile(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE_FORCE);
    return;
  } catch {
    await rm(to, { force: true });
  }
  try {
    await link(from, to);
  } catch {
    await copyFile(from, to);
  }
}
