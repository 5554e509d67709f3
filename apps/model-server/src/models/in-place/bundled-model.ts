import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { CatalogueSource } from '../catalogue-source.js';
import type { GgufFactsCache } from '../gguf/gguf-facts-cache.js';
import type { ModelEntry } from '../model-entry.js';
import { defaultHost, defaultNamespace, type ModelName, modelNameKey } from '../model-name.js';
import type { Digest } from '../store/digest.js';
import type { StoreFolder } from '../store/store-folder.js';
import { hashFile } from '../transfer/file-hasher.js';
import { fileEntry } from './file-entry.js';

export const bundledModelName: ModelName = {
  host: defaultHost,
  namespace: defaultNamespace,
  model: 'ember',
  tag: 'latest',
};

/** The model that comes with the server. Its file is never deleted; deleting the model only hides it. */
export class BundledModel implements CatalogueSource {
  private hashing: Promise<string> | undefined;

  constructor(
    private readonly path: string,
    private readonly folder: StoreFolder,
    private readonly facts: GgufFactsCache,
  ) {}

  async list(): Promise<readonly ModelEntry[]> {
    if (await this.isHidden()) return [];
    try {
      const facts = await this.facts.read(this.path);
      return [fileEntry({ name: 'ember:latest', origin: 'bundled', path: this.path, facts })];
    } catch {
      // An installation may leave it out.
      return [];
    }
  }

  async find(name: ModelName): Promise<ModelEntry | undefined> {
    if (modelNameKey(name) !== modelNameKey(bundledModelName)) return undefined;
    return (await this.list())[0];
  }

  async hide(): Promise<void> {
    await this.folder.publish(this.mark, 'The bundled model was deleted. Pull "ember" to have it back.\n');
  }

  /** Whether there is a bundled model to bring back at all. */
  async restore(): Promise<ModelEntry | undefined> {
    await rm(this.mark, { force: true });
    return (await this.list())[0];
  }

  async fileDigest(): Promise<{ readonly digest: Digest; readonly sizeBytes: number }> {
    this.hashing ??= hashFile(this.path).catch((error: unknown) => {
      // What stood in the way may be gone the next time.
      this.hashing = undefined;
      throw error;
    });
    return { digest: `sha256:${await this.hashing}`, sizeBytes: (await stat(this.path)).size };
  }

  private get mark(): string {
    return path.join(this.folder.own, 'bundled-model-deleted');
  }

  private async isHidden(): Promise<boolean> {
    try {
      await readFile(this.mark);
      return true;
    } catch {
      return false;
    }
  }
}
