import { z } from 'zod';
import type { CatalogueSource } from '../catalogue-source.js';
import { GgufError } from '../gguf/gguf-error.js';
import type { GgufFacts, GgufFactsCache } from '../gguf/gguf-facts-cache.js';
import { templateCapabilities } from '../gguf/model-facts.js';
import type { ModelEntry, StoredMessage } from '../model-entry.js';
import { displayModelName, type ModelReference } from '../model-name.js';
import { engineTemplate } from '../template/usable-template.js';
import type { BlobStore } from './blob-store.js';
import { digestHex } from './digest.js';
import { layerMediaTypes, layersOf, type Manifest, ownTemplateAnnotation, totalBytes } from './manifest.js';
import type { ManifestStore, StoredManifest } from './manifest-store.js';
import { parseModelConfig } from './model-config.js';
import type { ShardLinks } from './shard-links.js';

const parametersSchema = z.record(z.string(), z.unknown());
const messagesSchema = z.array(z.object({ role: z.string(), content: z.string() }));

/** The models of a store, ours or one that another runner filled. */
export class StoredModels implements CatalogueSource {
  private readonly remembered = new Map<string, { stamp: string; entry: ModelEntry }>();

  constructor(
    private readonly manifests: ManifestStore,
    private readonly blobs: BlobStore,
    private readonly shards: ShardLinks,
    private readonly facts: GgufFactsCache,
  ) {}

  async list(): Promise<readonly ModelEntry[]> {
    const entries: ModelEntry[] = [];
    for (const stored of await this.manifests.list()) {
      const entry = await this.entryOf(stored);
      if (entry) entries.push(entry);
    }
    return entries;
  }

  async find(name: ModelReference): Promise<ModelEntry | undefined> {
    const stored = await this.manifests.find(name);
    return stored && (await this.entryOf(stored));
  }

  private async entryOf(stored: StoredManifest): Promise<ModelEntry | undefined> {
    const stamp = await this.stampOf(stored);
    const known = this.remembered.get(stored.path);
    if (known?.stamp === stamp) return known.entry;
    const entry = await this.readEntry(stored);
    // A model with a problem is looked at again each time: its blob may be put back.
    if (entry && !entry.problem) this.remembered.set(stored.path, { stamp, entry });
    return entry;
  }

  /** Changes with the manifest and with the model's files, which somebody may have written to. */
  private async stampOf({ digest, modifiedAt, manifest }: StoredManifest): Promise<string> {
    const files = await this.modelFiles(manifest);
    return [
      digest,
      modifiedAt.getTime(),
      ...files.map(({ info }) => `${info?.size} ${info?.mtimeMs}`),
    ].join();
  }

  private async modelFiles(manifest: Manifest) {
    const layers = layersOf(manifest, layerMediaTypes.model);
    return await Promise.all(
      layers.map(async ({ digest, size }) => ({ size, info: await this.blobs.infoOf(digest) })),
    );
  }

  private async readEntry(stored: StoredManifest): Promise<ModelEntry | undefined> {
    const { manifest } = stored;
    const config = parseModelConfig((await this.blobs.readText(manifest.config.digest)) ?? '');
    const modelLayers = layersOf(manifest, layerMediaTypes.model);
    const first = modelLayers[0];
    if (!first) return undefined;
    const ggufPath = await this.shards.firstPath(stored.digest, modelLayers);
    const { facts, problem } = await this.examine(ggufPath, manifest);
    const template = await this.text(manifest, layerMediaTypes.template);
    const family = facts?.details.family ?? config?.model_family ?? 'unknown';
    const texts = await Promise.all(
      layersOf(manifest, layerMediaTypes.license).map((layer) => this.blobs.readText(layer.digest)),
    );
    const licenses = texts.flatMap((license) => (license === undefined ? [] : [license]));
    return {
      name: displayModelName(stored.name),
      origin: 'store',
      sizeBytes: totalBytes(manifest),
      modifiedAt: stored.modifiedAt,
      digest: digestHex(stored.digest),
      details: facts?.details ?? {
        format: config?.model_format ?? 'gguf',
        family,
        families: config?.model_families ?? [family],
        parameterSize: config?.model_type ?? 'unknown',
        quantizationLevel: config?.file_type ?? 'unknown',
        contextLength: 0,
        embeddingLength: 0,
      },
      capabilities: withTemplate(facts?.capabilities ?? ['completion'], template),
      ggufPath,
      template: template ?? facts?.chatTemplate,
      chatTemplate: engineTemplate({
        template,
        isOwn:
          layersOf(manifest, layerMediaTypes.template).at(-1)?.annotations?.[ownTemplateAnnotation] ===
          'true',
        hasGgufTemplate: facts?.chatTemplate !== undefined,
      }),
      system: await this.text(manifest, layerMediaTypes.system),
      licenses: licenses.length === 0 && facts?.license !== undefined ? [facts.license] : licenses,
      parameters: parseJson(parametersSchema, await this.text(manifest, layerMediaTypes.params)) ?? {},
      messages: parseJson(messagesSchema, await this.text(manifest, layerMediaTypes.messages)) ?? noMessages,
      parentModel: first.from ?? '',
      ...(problem === undefined ? {} : { problem }),
    };
  }

  private async examine(
    ggufPath: string,
    manifest: Manifest,
  ): Promise<{ facts?: GgufFacts; problem?: string }> {
    if (layersOf(manifest, layerMediaTypes.adapter).length > 0) {
      return { problem: 'it has an adapter (LoRA) layer, which this server cannot apply' };
    }
    const files = await this.modelFiles(manifest);
    if (files.some(({ size, info }) => info && info.size !== size)) {
      return { problem: 'its file in the store has changed its size since; pull or create it again' };
    }
    try {
      return { facts: await this.facts.read(ggufPath) };
    } catch (error) {
      if (error instanceof GgufError) return { problem: error.message };
      return { problem: 'its file is missing from the store or cannot be read; pull it again' };
    }
  }

  private async text(manifest: Manifest, mediaType: string): Promise<string | undefined> {
    const layer = layersOf(manifest, mediaType).at(-1);
    return layer && (await this.blobs.readText(layer.digest));
  }
}

const noMessages: readonly StoredMessage[] = [];

function withTemplate(capabilities: ModelEntry['capabilities'], template: string | undefined) {
  if (!capabilities.includes('completion')) return capabilities;
  const inserts = template !== undefined && /\.Suffix\b/.test(template) ? (['insert'] as const) : [];
  return [...new Set([...capabilities, ...templateCapabilities(template), ...inserts])];
}

function parseJson<Schema extends z.ZodType>(
  schema: Schema,
  text: string | undefined,
): z.output<Schema> | undefined {
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
