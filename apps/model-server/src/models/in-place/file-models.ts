import type { Logger } from '@hearth/service-kit/logger';
import type { CatalogueSource } from '../catalogue-source.js';
import { GgufError } from '../gguf/gguf-error.js';
import type { GgufFactsCache } from '../gguf/gguf-facts-cache.js';
import type { ModelEntry, ModelOrigin } from '../model-entry.js';
import { displayModelName, type ModelName, type ModelReference, modelNameKey } from '../model-name.js';
import { fileEntry } from './file-entry.js';

export interface NamedFile {
  readonly name: ModelName;
  /** The GGUF or its first shard. */
  readonly path: string;
}

/** GGUF files that stay where they are: a folder of the user's, or the cache of another tool. */
export class FileModels implements CatalogueSource {
  private readonly reported = new Set<string>();

  constructor(
    private readonly options: {
      readonly origin: ModelOrigin;
      readonly scan: () => Promise<readonly NamedFile[]>;
      readonly facts: GgufFactsCache;
      readonly logger: Logger;
    },
  ) {}

  async list(): Promise<readonly ModelEntry[]> {
    const entries: ModelEntry[] = [];
    for (const file of await this.options.scan()) {
      const entry = await this.entryOf(file);
      if (entry) entries.push(entry);
    }
    return entries;
  }

  /** A name without a tag also finds the only variant there is: a file rarely calls itself `latest`. */
  async find(name: ModelReference): Promise<ModelEntry | undefined> {
    const files = await this.options.scan();
    const exact = files.find((file) => modelNameKey(file.name) === modelNameKey(name));
    if (exact) return await this.entryOf(exact);
    if (name.tagGiven) return undefined;
    const variants = files.filter(
      (file) => modelNameKey({ ...file.name, tag: '' }) === modelNameKey({ ...name, tag: '' }),
    );
    return variants.length === 1 && variants[0] ? await this.entryOf(variants[0]) : undefined;
  }

  private async entryOf({ name, path }: NamedFile): Promise<ModelEntry | undefined> {
    const { origin, facts, logger } = this.options;
    try {
      return fileEntry({ name: displayModelName(name), origin, path, facts: await facts.read(path) });
    } catch (error) {
      if (!this.reported.has(path)) {
        this.reported.add(path);
        const reason = error instanceof GgufError ? error.message : 'it or one of its parts cannot be read';
        logger.warn({ path, reason }, 'left out a file that is no sound GGUF');
      }
      return undefined;
    }
  }
}
