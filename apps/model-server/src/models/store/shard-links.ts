import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { shardName } from '../gguf/gguf-shards.js';
import type { BlobStore } from './blob-store.js';
import { type Digest, digestHex } from './digest.js';
import type { LayerDescriptor } from './manifest.js';
import type { StoreFolder } from './store-folder.js';

/**
 * A model of several files must lie under names that count them, because llama.cpp finds the second from the name of
 * the first. Blobs are named by their digest, so each such model gets a folder of links.
 */
export class ShardLinks {
  constructor(
    private readonly folder: StoreFolder,
    private readonly blobs: BlobStore,
  ) {}

  async firstPath(manifest: Digest, layers: readonly LayerDescriptor[]): Promise<string> {
    const only = layers.length === 1 ? layers[0] : undefined;
    if (only) return this.blobs.pathOf(only.digest);
    const folder = this.folderOf(manifest);
    for (const [position, layer] of layers.entries()) {
      const link = path.join(folder, shardName('model', position + 1, layers.length));
      await this.link(path.relative(folder, this.blobs.pathOf(layer.digest)), link);
    }
    return path.join(folder, shardName('model', 1, layers.length));
  }

  /** In a store that may only be read the link cannot be made; reading the model then says what is missing. */
  private async link(target: string, link: string): Promise<void> {
    try {
      await mkdir(path.dirname(link), { recursive: true });
      await symlink(target, link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    }
  }

  async remove(manifest: Digest): Promise<void> {
    await rm(this.folderOf(manifest), { recursive: true, force: true });
  }

  private folderOf(manifest: Digest): string {
    return path.join(this.folder.own, 'shards', digestHex(manifest));
  }
}
