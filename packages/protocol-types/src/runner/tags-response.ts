import { z } from 'zod';
import { integerFrom, list, text } from '../common/fields.js';
import { capabilitySchema, modelDetailsSchema } from './model-details.js';

export const modelEntrySchema = z
  .object({
    name: text.describe('With its tag: `ember:latest`.'),
    model: text.describe('The same as `name`.'),
    modified_at: z.iso.datetime({ offset: true }),
    size: integerFrom(0).describe('Bytes.'),
    digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('SHA-256 of the manifest, 64 hex digits.'),
    details: modelDetailsSchema,
    capabilities: list(capabilitySchema).optional(),
  })
  .meta({ id: 'RunnerModelEntry', description: 'A model on this machine.' });

export const tagsResponseSchema = z.object({ models: list(modelEntrySchema) }).meta({
  id: 'RunnerTagsResponse',
  description: 'GET /api/tags: the models on this machine, newest first.',
});

export type ModelEntry = z.infer<typeof modelEntrySchema>;
export type TagsResponse = z.infer<typeof tagsResponseSchema>;
