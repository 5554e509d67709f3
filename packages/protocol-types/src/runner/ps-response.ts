import { z } from 'zod';
import { integerFrom, list, text } from '../common/fields.js';
import { modelDetailsSchema } from './model-details.js';

export const loadedModelSchema = z
  .object({
    name: text,
    model: text,
    size: integerFrom(0).describe('Bytes in memory.'),
    digest: text,
    details: modelDetailsSchema,
    expires_at: z.iso.datetime({ offset: true }).describe('When it is unloaded if nobody asks.'),
    size_vram: integerFrom(0).describe('Bytes of it on the GPU.'),
    context_length: integerFrom(0),
  })
  .meta({ id: 'RunnerLoadedModel', description: 'A model in memory.' });

export const psResponseSchema = z
  .object({ models: list(loadedModelSchema) })
  .meta({ id: 'RunnerPsResponse', description: 'GET /api/ps: the models in memory, longest to stay first.' });

export type LoadedModel = z.infer<typeof loadedModelSchema>;
export type PsResponse = z.infer<typeof psResponseSchema>;
