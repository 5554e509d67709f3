import { z } from 'zod';
import { integerFrom } from '../common/fields.js';

export const responsesUsageSchema = z
  .object({
    input_tokens: integerFrom(0),
    input_tokens_details: z.object({
      cached_tokens: integerFrom(0).describe('Prompt tokens that were not computed again.'),
      cache_write_tokens: integerFrom(0).optional(),
    }),
    output_tokens: integerFrom(0),
    output_tokens_details: z.object({ reasoning_tokens: integerFrom(0) }),
    total_tokens: integerFrom(0),
  })
  .meta({ id: 'ResponsesUsage', description: 'Tokens read and written.' });

export type ResponsesUsage = z.infer<typeof responsesUsageSchema>;
