import { z } from 'zod';
import { integerFrom, list, number, text } from '../common/fields.js';

export const rerankResponseSchema = z
  .object({
    model: text,
    object: z.literal('list'),
    usage: z.object({ prompt_tokens: integerFrom(0), total_tokens: integerFrom(0) }),
    results: list(
      z.object({
        index: integerFrom(0).describe('Place in the request.'),
        relevance_score: number,
        document: z.object({ text }).optional(),
      }),
    ).describe('Best first.'),
  })
  .meta({ id: 'RerankResponse', description: 'The documents in order.' });

export type RerankResponse = z.infer<typeof rerankResponseSchema>;
