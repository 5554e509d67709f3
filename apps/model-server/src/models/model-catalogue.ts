import { GenerationError } from '../generation/generation-error.js';
import type { ModelFile, ModelSource } from '../generation/model-source.js';
import type { CatalogueSource } from './catalogue-source.js';
import { GgufError } from './gguf/gguf-error.js';
import type { GgufHeader } from './gguf/gguf-header.js';
import { readGgufHeader } from './gguf/read-gguf-header.js';
import type { ModelEntry } from './model-entry.js';
import { parseModelName } from './model-name.js';

/** Every model this server can serve, from all its sources; the first source that has a name wins it. */
export class ModelCatalogue implements ModelSource {
  constructor(private readonly sources: readonly CatalogueSource[]) {}

  /** The newest first. */
  async list(): Promise<readonly ModelEntry[]> {
    const byName = new Map<string, ModelEntry>();
    for (const source of this.sources) {
      for (const entry of await source.list()) {
        const key = entry.name.toLowerCase();
        if (!byName.has(key)) byName.set(key, entry);
      }
    }
    return [...byName.values()].sort(
      (a, b) => b.modifiedAt.getTime() - a.modifiedAt.getTime() || a.name.localeCompare(b.name),
    );
  }

  /** Throws `model-not-found`, or `invalid-request` for what cannot be a name. */
  async find(name: string): Promise<ModelEntry> {
    const entry = await this.findIfThere(name);
    if (!entry) throw modelNotFound(name);
    return entry;
  }

  async findIfThere(name: string): Promise<ModelEntry | undefined> {
    const reference = parseModelName(name);
    for (const source of this.sources) {
      const entry = await source.find(reference);
      if (entry) return entry;
    }
    return undefined;
  }

  async resolve(name: string): Promise<ModelFile> {
    const entry = await this.find(name);
    if (entry.problem !== undefined) {
      throw new GenerationError(
        'model-unloadable',
        `model '${entry.name}' cannot be loaded: ${entry.problem}`,
      );
    }
    return {
      name: entry.name,
      path: entry.ggufPath,
      sizeBytes: entry.sizeBytes,
      ...(entry.chatTemplate === undefined ? {} : { chatTemplate: entry.chatTemplate }),
    };
  }

  /** The header of the model's file; `verbose` keeps whole vocabularies, which can be many megabytes. */
  async readHeader(entry: ModelEntry, options: { readonly verbose?: boolean } = {}): Promise<GgufHeader> {
    try {
      const keepArraysUpTo = options.verbose === true ? Number.MAX_SAFE_INTEGER : 5;
      return await readGgufHeader(entry.ggufPath, { keepArraysUpTo });
    } catch (error) {
      const reason = error instanceof GgufError ? error.message : 'its file cannot be read';
      throw new GenerationError('model-unloadable', `model '${entry.name}': ${reason}`, { cause: error });
    }
  }
}

export function modelNotFound(name: string): GenerationError {
  return new GenerationError('model-not-found', `model '${name}' not found`, { param: 'model' });
}
