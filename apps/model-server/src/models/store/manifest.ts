import { z } from 'zod';
import { tryParseDigest } from './digest.js';

export const manifestMediaType = 'application/vnd.docker.distribution.manifest.v2+json';
export const configMediaType = 'application/vnd.docker.container.image.v1+json';

const layerPrefix = 'application/vnd.ollama.image.';

export const layerMediaTypes = {
  model: `${layerPrefix}model`,
  projector: `${layerPrefix}projector`,
  adapter: `${layerPrefix}adapter`,
  template: `${layerPrefix}template`,
  system: `${layerPrefix}system`,
  params: `${layerPrefix}params`,
  messages: `${layerPrefix}messages`,
  license: `${layerPrefix}license`,
  tensor: `${layerPrefix}tensor`,
} as const;

const digestSchema = z.string().transform((text, context) => {
  const digest = tryParseDigest(text);
  if (digest) return digest;
  context.addIssue({ code: 'custom', message: 'is not a sha256 digest' });
  return z.NEVER;
});

const descriptorSchema = z.object({
  mediaType: z.string().max(200),
  digest: digestSchema,
  size: z.number().int().nonnegative(),
  /** Where a layer came from: another model's name or a file; the runner writes it too. */
  from: z.string().optional(),
  annotations: z.record(z.string(), z.string()).optional(),
});

export const manifestSchema = z.object({
  schemaVersion: z.literal(2),
  mediaType: z.string().optional(),
  config: descriptorSchema,
  layers: z.array(descriptorSchema).max(4096),
});

export type LayerDescriptor = z.output<typeof descriptorSchema>;
export type Manifest = z.output<typeof manifestSchema>;

/** The annotation that keeps the file name of a shard, which the engine needs to find its neighbours. */
export const fileNameAnnotation = 'org.opencontainers.image.title';

/** Marks a template that was given by whoever made the model here; it goes before the one inside the GGUF. */
export const ownTemplateAnnotation = 'dev.hearth.own-template';

export function parseManifest(text: string): Manifest | undefined {
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function encodeManifest(config: LayerDescriptor, layers: readonly LayerDescriptor[]): string {
  return JSON.stringify({ schemaVersion: 2, mediaType: manifestMediaType, config, layers });
}

export function layersOf(manifest: Manifest, mediaType: string): readonly LayerDescriptor[] {
  return manifest.layers.filter((layer) => layer.mediaType === mediaType);
}

/** Every blob a manifest needs, each once. */
export function blobsOf(manifest: Manifest): readonly LayerDescriptor[] {
  const seen = new Map<string, LayerDescriptor>();
  for (const blob of [...manifest.layers, manifest.config]) {
    // The runner leaves the config's digest empty in some old manifests; the schema refuses those as a whole.
    if (!seen.has(blob.digest)) seen.set(blob.digest, blob);
  }
  return [...seen.values()];
}

export function totalBytes(manifest: Manifest): number {
  return manifest.layers.reduce((total, layer) => total + layer.size, manifest.config.size);
}
