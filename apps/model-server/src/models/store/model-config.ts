import { z } from 'zod';

/** The config blob of a model, as the runner family writes it. */
export const modelConfigSchema = z.object({
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
