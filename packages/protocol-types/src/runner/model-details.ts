import { z } from 'zod';
import { integerFrom, list, oneOf, text } from '../common/fields.js';

export const modelDetailsSchema = z
  .object({
    parent_model: text,
    format: text,
    family: text,
    families: list(text).nullable(),
    parameter_size: text.describe('Such as "3.2B".'),
    quantization_level: text.describe('Such as "Q4_K_M".'),
    context_length: integerFrom(0).optional(),
    embedding_length: integerFrom(0).optional(),
  })
  .meta({ id: 'RunnerModelDetails', description: 'What kind of model this is.' });

export const capabilitySchema = oneOf([
  'completion',
  'tools',
  'insert',
  'vision',
  'embedding',
  'thinking',
  'image',
  'audio',
  'rerank',
]).meta({ id: 'RunnerCapability', description: 'What a model can do.' });

export type ModelDetails = z.infer<typeof modelDetailsSchema>;
export type Capability = z.infer<typeof capabilitySchema>;
