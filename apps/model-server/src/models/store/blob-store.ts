import type { Stats } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Digest, digestHex, digestOf, tryParseDigest } from './digest.js';
import type { LayerDescriptor } from './manifest.js';
import type { StoreFolder } from './store-folder.js';

const maxTextBytes = 16 * 1024 * 1024;

/** The content of a store: files named by their SHA-256, so one file serves every model that has the same layer. */
export class BlobStore {
  constructor(private readonly folder: StoreFolder) {}

  pathOf(digest: Digest): string {
    return path.join(this.folder.blobs, `sha256-${digestHex(digest)}`);
  }

  async infoOf(digest: Digest): Promise<Stats | undefined> {
    try {
      const info = await stat(this.pathOf(digest));
      return info.isFile() ? info : undefined;
    } catch {
      return undefined;
    }
  }

  async sizeOf(digest: Digest): Promise<number | undefined> {
    return (await this.infoOf(digest))?.size;
  }

  async has(digest: Digest): Promise<boolean> {
    return (await this.sizeOf(digest)) !== undefined;
  }

  /** The text of a small layer (template, system, license, parameters). */
  async readText(digest: Digest): Promise<string | undefined> {
    const size = await this.sizeOf(digest);
    if (size === undefined || size > maxTextBytes) return undefined;
    return await readFile(this.pathOf(digest), 'utf8');
  }

  async writeText(mediaType: string, text: string): Promise<LayerDescriptor> {
    const bytes = Buffer.from(text, 'utf8');
    const digest = digestOf(bytes);
    if (!(await this.has(digest))) await this.folder.publish(this.pathOf(digest), bytes);
    return { mediaType, digest, size: bytes.length };
  }

  async remove(digest: Digest): Promise<void> {
    await rm(this.pathOf(digest), { force: true });
  }

  async list(): Promise<readonly Digest[]> {
    let files: string[];
    try {
      files = await readdir(this.folder.blobs);
    } catch {
      return [];
    }
    return files.flatMap((file) => {
      const digest = file.includes('.') ? undefined : tryParseDigest(file);
      return digest === undefined ? [] : [digest];
    });
  }
}
