import path from 'node:path';
import { GenerationError } from '../../generation/generation-error.js';
import { GgufError } from '../gguf/gguf-error.js';
import { parseShardName, shardPaths } from '../gguf/gguf-shards.js';
import { readGgufHeader } from '../gguf/read-gguf-header.js';
import type { ModelCatalogue } from '../model-catalogue.js';
import type { ModelEntry } from '../model-entry.js';
import { parseModelName } from '../model-name.js';
import type { ReportProgress } from '../pull/progress.js';
import type { BlobStore } from '../store/blob-store.js';
import type { BlobWriter } from '../store/blob-writer.js';
import type { Digest } from '../store/digest.js';
import { fileNameAnnotation, type LayerDescriptor, layerMediaTypes } from '../store/manifest.js';
import type { ManifestStore } from '../store/manifest-store.js';

export interface BaseLayersParts {
  readonly catalogue: ModelCatalogue;
  readonly manifests: ManifestStore;
  readonly blobs: BlobStore;
  readonly writer: BlobWriter;
}

/** The layers a new model starts from. */
export class BaseLayers {
  constructor(private readonly parts: BaseLayersParts) {}

  /** Of a model that is here; one served in place is taken into the store first. */
  async ofModel(
    entry: ModelEntry,
    options: { readonly signal: AbortSignal; readonly report: ReportProgress },
  ): Promise<readonly LayerDescriptor[]> {
    if (entry.origin === 'store') {
      const stored = await this.parts.manifests.find(parseModelName(entry.name));
      if (!stored) throw new GenerationError('model-not-found', `model '${entry.name}' not found`);
      for (const layer of stored.manifest.layers) {
        options.report({ status: `using existing layer ${layer.digest}` });
      }
      return stored.manifest.layers.map((layer) =>
        layer.mediaType === layerMediaTypes.model ? { ...layer, from: entry.name } : layer,
      );
    }
    const layers: LayerDescriptor[] = [];
    for (const file of shardPaths(entry.ggufPath)) {
      const { digest, size, isNew } = await this.parts.writer.importFile(file, options.signal);
      options.report({ status: `${isNew ? 'creating new' : 'using existing'} layer ${digest}` });
      layers.push({ ...modelLayer(path.basename(file), digest, size), from: entry.name });
    }
    return layers;
  }

  /** Of files that were uploaded before. */
  async ofFiles(
    files: Readonly<Record<string, Digest>>,
    report: ReportProgress,
  ): Promise<readonly LayerDescriptor[]> {
    report({ status: 'parsing GGUF' });
    const layers: LayerDescriptor[] = [];
    for (const [name, digest] of Object.entries(files).sort(([a], [b]) => a.localeCompare(b))) {
      if (path.isAbsolute(name) || name.split(/[/\\]/).includes('..')) {
        throw new GenerationError('invalid-request', 'file path must be relative', { param: 'files' });
      }
      const size = await this.parts.blobs.sizeOf(digest);
      if (size === undefined) {
        throw new GenerationError('invalid-request', `blob ${digest} was not uploaded`, { param: 'files' });
      }
      await this.requireGguf(digest, size);
      report({ status: `using existing layer ${digest}` });
      layers.push(modelLayer(path.basename(name), digest, size));
    }
    requireOneModel(layers);
    return layers;
  }

  private async requireGguf(digest: Digest, size: number): Promise<void> {
    try {
      const header = await readGgufHeader(this.parts.blobs.pathOf(digest), { keepArraysUpTo: 0 });
      if (header.expectedFileBytes <= size) return;
      throw new GgufError('truncated', 'the file is shorter than its header says; it was not copied whole');
    } catch (error) {
      if (!(error instanceof GgufError)) throw error;
      const message = error.problem === 'not-a-gguf' ? 'supplied file was not in GGUF format' : error.message;
      throw new GenerationError('invalid-request', message, { param: 'files' });
    }
  }
}

function modelLayer(fileName: string, digest: Digest, size: number): LayerDescriptor {
  return { mediaType: layerMediaTypes.model, digest, size, annotations: { [fileNameAnnotation]: fileName } };
}

/** Several files are one model only when they are the numbered parts of one. */
function requireOneModel(layers: readonly LayerDescriptor[]): void {
  if (layers.length === 1) return;
  const shards = layers.map((layer) => parseShardName(layer.annotations?.[fileNameAnnotation] ?? ''));
  const complete = shards.every(
    (shard, position) =>
      shard !== undefined &&
      shard.index === position + 1 &&
      shard.count === layers.length &&
      shard.stem === shards[0]?.stem,
  );
  if (complete) return;
  throw new GenerationError(
    'invalid-request',
    'several files must be the numbered parts of one model: x-00001-of-00002.gguf, x-00002-of-00002.gguf …',
    { param: 'files' },
  );
}
