import { z } from 'zod';
import { integerFrom } from '../common/fields.js';

export const usageSchema = z
  .object({
    prompt_tokens: integerFrom(0),
    completion_tokens: integerFrom(0),
    total_tokens: integerFrom(0),
    prompt_tokens_details: z
      .object({ cached_tokens: integerFrom(0).describe('Prompt tokens that were not computed again.') })
      .optional(),
    completion_tokens_details: z
      .object({ reasoning_tokens: integerFrom(0).describe('Tokens spent on thinking.') })
      .optional(),
  })
  .meta({ id: 'Usage', description: 'Tokens read and written.' });

export type Usage = z.infer<typeof usageSchema>;
