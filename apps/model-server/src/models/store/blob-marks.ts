import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Digest, digestHex, tryParseDigest } from './digest.js';
import type { StoreFolder } from './store-folder.js';

/**
 * Remembers blobs that came before the model they are for: an empty file for each. An upload waits for a `create`, a
 * download for the rest of its pull, and either may never come. Blobs that came any other way are not ours to judge,
 * because another runner may share the store.
 */
export class BlobMarks {
  private readonly folder: string;

  constructor(folder: StoreFolder, kind: 'uploads' | 'fetched') {
    this.folder = path.join(folder.own, kind);
  }

  async add(digest: Digest): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    await writeFile(this.fileOf(digest), '');
  }

  /** As if it were made now, if there is one; that of another user stays as it is. */
  async renew(digest: Digest): Promise<void> {
    const now = new Date();
    await utimes(this.fileOf(digest), now, now).catch(() => undefined);
  }

  async olderThan(time: Date): Promise<readonly Digest[]> {
    const old: Digest[] = [];
    for (const name of await readdir(this.folder).catch(() => [])) {
      const digest = tryParseDigest(`sha256:${name}`);
      const info = digest && (await stat(this.fileOf(digest)).catch(() => undefined));
      if (digest && info && info.mtimeMs < time.getTime()) old.push(digest);
    }
    return old;
  }

  async forget(digest: Digest): Promise<void> {
    await rm(this.fileOf(digest), { force: true });
  }

  private fileOf(digest: Digest): string {
    return path.join(this.folder, digestHex(digest));
  }
}
