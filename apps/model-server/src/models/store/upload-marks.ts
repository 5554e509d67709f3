import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Digest, digestHex, tryParseDigest } from './digest.js';
import type { StoreFolder } from './store-folder.js';

/**
 * Remembers which blobs came by upload: an empty file for each. An upload waits for a `create` that may never come;
 * blobs that came any other way are not ours to judge, because another runner may share the store.
 */
export class UploadMarks {
  private readonly folder: string;

  constructor(folder: StoreFolder) {
    this.folder = path.join(folder.own, 'uploads');
  }

  async add(digest: Digest): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    await writeFile(this.fileOf(digest), '');
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
