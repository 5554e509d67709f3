import path from 'node:path';
import { parseShardName } from '../gguf/gguf-shards.js';
import { quantLabel } from '../gguf/quant-label.js';
import { isModelFile } from '../in-place/find-gguf-files.js';

export interface HubFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** Hex; absent for small files that are kept in git itself. */
  readonly sha256: string | undefined;
}

const preferredQuants = ['Q4_K_M', 'Q8_0'];

/**
 * The files of the model that a tag asks for: a quantization in any case (`q4_k_m`), a file name, or `latest` for
 * the usual choice. All shards, in order; undefined when the repository has nothing that fits.
 */
export function chooseGguf(files: readonly HubFile[], tag: string): readonly HubFile[] | undefined {
  const models = files.filter((file) => isModelFile(path.basename(file.path)));
  models.sort((a, b) => a.path.localeCompare(b.path));
  const chosen = /\.gguf$/i.test(tag) ? byFileName(models, tag) : byQuant(models, tag);
  return chosen && withShards(files, chosen);
}

/** What to suggest when nothing fits. */
export function availableQuants(files: readonly HubFile[]): readonly string[] {
  const labels = files
    .filter((file) => isModelFile(path.basename(file.path)))
    .map((file) => quantLabel(path.basename(file.path)) ?? path.basename(file.path));
  return [...new Set(labels)].sort();
}

function byFileName(models: readonly HubFile[], tag: string): HubFile | undefined {
  return models.find((file) => path.basename(file.path).toLowerCase() === tag.toLowerCase());
}

function byQuant(models: readonly HubFile[], tag: string): HubFile | undefined {
  const has = (quant: string) => (file: HubFile) => {
    const label = quantLabel(path.basename(file.path));
    return label?.toLowerCase() === quant.toLowerCase();
  };
  if (tag.toLowerCase() !== 'latest') return models.find(has(tag));
  for (const quant of preferredQuants) {
    const found = models.find(has(quant));
    if (found) return found;
  }
  return models[0];
}

function withShards(files: readonly HubFile[], first: HubFile): readonly HubFile[] | undefined {
  const shard = parseShardName(first.path);
  if (!shard) return [first];
  const shards = files
    .filter((file) => {
      const other = parseShardName(file.path);
      return other?.stem === shard.stem && other.count === shard.count;
    })
    .sort((a, b) => a.path.localeCompare(b.path));
  return shards.length === shard.count ? shards : undefined;
}
