import { z } from 'zod';
import { integerFrom, list, number, text } from '../common/fields.js';

export const embeddingsResponseSchema = z
  .object({
    object: z.literal('list'),
    data: list(
      z.object({
        object: z.literal('embedding'),
        index: integerFrom(0),
        embedding: z
          .union([list(number), z.base64()])
          .describe('Numbers, or base64 of little-endian float32.'),
      }),
    ),
    model: text,
    usage: z.object({ prompt_tokens: integerFrom(0), total_tokens: integerFrom(0) }),
  })
  .meta({ id: 'EmbeddingsResponse', description: 'One vector for each input, in order.' });

export type EmbeddingsResponse = z.infer<typeof embeddingsResponseSchema>;
