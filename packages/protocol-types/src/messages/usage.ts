import { z } from 'zod';
import { integerFrom, jsonObject, text } from '../common/fields.js';

export const usageSchema = z
  .object({
    input_tokens: integerFrom(0).describe(
      'Prompt tokens that were computed; those from the cache not included.',
    ),
    output_tokens: integerFrom(0),
    cache_creation_input_tokens: integerFrom(0).nullable(),
    cache_read_input_tokens: integerFrom(0).nullable().describe('Prompt tokens that came from the cache.'),
    cache_creation: jsonObject.nullish(),
    output_tokens_details: z.object({ thinking_tokens: integerFrom(0) }).nullish(),
    server_tool_use: jsonObject.nullish(),
    service_tier: text.nullish(),
    inference_geo: text.nullish(),
    speed: text.nullish(),
  })
  .meta({ id: 'MessagesUsage', description: 'Tokens read and written. All input = computed + cached.' });

export type Usage = z.infer<typeof usageSchema>;
