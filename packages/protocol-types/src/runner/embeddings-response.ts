import { z } from 'zod';
import { list, number } from '../common/fields.js';

export const embeddingsResponseSchema = z
  .object({ embedding: list(number).describe('As the model gave it, not normalised.') })
  .meta({ id: 'RunnerEmbeddingsResponse', description: 'The vector of the older form.' });

export type EmbeddingsResponse = z.infer<typeof embeddingsResponseSchema>;
