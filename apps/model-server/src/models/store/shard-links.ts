import { mkdir, readlink, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { shardName } from '../gguf/gguf-shards.js';
import type { BlobStore } from './blob-store.js';
import { type Digest, digestHex } from './digest.js';
import type { LayerDescriptor } from './manifest.js';
import type { StoreFolder } from './store-folder.js';

/**
 * A model of several files must lie under names that count them, because llama.cpp finds the second from the name of
 * the first. Blobs are named by their digest, so each such model gets a folder of links: in the store, or in a spare
 * place when the store may only be read.
 */
export class ShardLinks {
  constructor(
    private readonly folder: StoreFolder,
    private readonly blobs: BlobStore,
    private readonly spareFolder?: string,
  ) {}

  async firstPath(manifest: Digest, layers: readonly LayerDescriptor[]): Promise<string> {
    const only = layers.length === 1 ? layers[0] : undefined;
    if (only) return this.blobs.pathOf(only.digest);
    const own = this.folderOf(manifest);
    const spare = this.spareFolderOf(manifest);
    const blobs = layers.map((layer) => path.resolve(this.blobs.pathOf(layer.digest)));
    // The links in the store are relative: it may be moved, or be mounted elsewhere.
    const fromOwn = blobs.map((blob) => path.relative(path.resolve(own), blob));
    const useSpare = !(await linkAll(own, fromOwn)) && spare !== undefined && (await linkAll(spare, blobs));
    return path.join(useSpare ? spare : own, shardName('model', 1, layers.length));
  }

  async remove(manifest: Digest): Promise<void> {
    for (const folder of [this.folderOf(manifest), this.spareFolderOf(manifest)]) {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    }
  }

  private folderOf(manifest: Digest): string {
    return path.join(this.folder.own, 'shards', digestHex(manifest));
  }

  private spareFolderOf(manifest: Digest): string | undefined {
    return this.spareFolder && path.join(this.spareFolder, digestHex(manifest));
  }
}

/** False when they cannot be made there. */
async function linkAll(folder: string, targets: readonly string[]): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true });
    for (const [position, target] of targets.entries()) {
      await link(target, path.join(folder, shardName('model', position + 1, targets.length)));
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}

async function link(target: string, place: string): Promise<void> {
  try {
    await symlink(target, place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if ((await readlink(place)) === target) return;
    // The store was somewhere else when this link was made.
    await rm(place);
    await symlink(target, place);
  }
}
