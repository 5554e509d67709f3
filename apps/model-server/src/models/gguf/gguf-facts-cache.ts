import { stat } from 'node:fs/promises';
import { GgufError } from './gguf-error.js';
import { metadataText } from './gguf-header.js';
import { shardPaths } from './gguf-shards.js';
import { type ModelFacts, modelFacts, parameterSizeText } from './model-facts.js';
import { readGgufHeader } from './read-gguf-header.js';

export interface GgufFacts extends ModelFacts {
  readonly license: string | undefined;
  /** Of all shards together. */
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

interface Remembered {
  readonly stamp: string;
  readonly facts: Promise<GgufFacts>;
}

/** Remembers what headers say for as long as the file stays the same: lists are asked for often, headers are long. */
export class GgufFactsCache {
  private readonly byPath = new Map<string, Remembered>();

  async read(path: string): Promise<GgufFacts> {
    const info = await stat(path);
    const stamp = `${info.size} ${info.mtimeMs} ${info.ino}`;
    const known = this.byPath.get(path);
    if (known?.stamp === stamp) return await known.facts;
    const facts = readFacts(path, info.mtime);
    this.byPath.set(path, { stamp, facts });
    facts.catch(() => {
      // A file that is still being copied must be looked at again, not remembered as broken.
      if (this.byPath.get(path)?.facts === facts) this.byPath.delete(path);
    });
    return await facts;
  }
}

async function readFacts(path: string, modifiedAt: Date): Promise<GgufFacts> {
  const header = await readGgufHeader(path);
  const facts = modelFacts(header);
  let { parameterCount } = facts;
  let sizeBytes = 0;
  for (const shard of shardPaths(path)) {
    const shardHeader = shard === path ? header : await readGgufHeader(shard);
    if (shard !== path) parameterCount += modelFacts(shardHeader).parameterCount;
    const { size } = await stat(shard);
    if (size < shardHeader.expectedFileBytes) {
      throw new GgufError('truncated', 'the file is shorter than its header says; it was not copied whole');
    }
    sizeBytes += size;
  }
  return {
    ...facts,
    details: { ...facts.details, parameterSize: parameterSizeText(parameterCount) },
    parameterCount,
    license: metadataText(header, 'general.license'),
    sizeBytes,
    modifiedAt,
  };
}
