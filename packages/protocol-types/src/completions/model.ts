import { z } from 'zod';
import { flag, integerFrom, jsonObject, list, text } from '../common/fields.js';

export const modelSchema = z
  .object({
    id: text,
    object: z.literal('model'),
    created: integerFrom(0).describe('Unix seconds.'),
    owned_by: text.describe('`local` for models on this machine.'),
    context_length: integerFrom(0).optional(),
    capabilities: list(text).optional(),
    loaded: flag.optional(),
    meta: jsonObject.optional(),
  })
  .meta({ id: 'Model', description: 'A model that this server can answer with.' });

export const modelListSchema = z
  .object({ object: z.literal('list'), data: list(modelSchema) })
  .meta({ id: 'ModelList', description: 'GET /v1/models.' });

export const modelDeletedSchema = z
  .object({ id: text, object: z.literal('model'), deleted: z.literal(true) })
  .meta({ id: 'ModelDeleted', description: 'DELETE /v1/models/{id}.' });

export type Model = z.infer<typeof modelSchema>;
export type ModelList = z.infer<typeof modelListSchema>;
export type ModelDeleted = z.infer<typeof modelDeletedSchema>;
