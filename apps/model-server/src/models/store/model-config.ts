import { z } from 'zod';
import type { ModelDetails } from '../gguf/model-facts.js';
import type { BlobStore } from './blob-store.js';
import { configMediaType, type LayerDescriptor } from './manifest.js';

/** The config blob of a model, as the runner family writes it. */
const modelConfigSchema = z.object({
  model_format: z.string().default('gguf'),
  model_family: z.string().default('unknown'),
  model_families: z.array(z.string()).nullish(),
  model_type: z.string().default('unknown'),
  file_type: z.string().default('unknown'),
});

export type ModelConfig = z.output<typeof modelConfigSchema>;

export function parseModelConfig(text: string): ModelConfig | undefined {
  try {
    return modelConfigSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export async function writeModelConfig(
  blobs: BlobStore,
  facts: { readonly details: ModelDetails },
): Promise<LayerDescriptor> {
  const { details } = facts;
  const config = {
    model_format: details.format,
    model_family: details.family,
    model_families: details.families,
    model_type: details.parameterSize,
    file_type: details.quantizationLevel,
    architecture: 'amd64',
    os: 'linux',
    rootfs: { type: 'layers', diff_ids: [] },
  };
  return await blobs.writeText(configMediaType, JSON.stringify(config));
}
