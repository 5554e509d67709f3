import type { z } from 'zod';
import { object, text } from '../common/fields.js';
import { keepAliveSchema } from '../common/keep-alive.js';
import { modelField } from './generation-fields.js';
import { optionsSchema } from './options.js';

export const embeddingsRequestSchema = object({
  model: modelField,
  prompt: text.nullish().describe('Empty: the model is only loaded.'),
  options: optionsSchema.nullish(),
  keep_alive: keepAliveSchema.nullish(),
}).meta({ id: 'RunnerEmbeddingsRequest', description: 'POST /api/embeddings: the older form, one text.' });

export type EmbeddingsRequest = z.infer<typeof embeddingsRequestSchema>;
