import { z } from 'zod';
import { flag, integerFrom, jsonObject, list, number, oneOf, text } from '../common/fields.js';
import { outputItemSchema } from './responses-output-item.js';
import { responsesUsageSchema } from './responses-usage.js';

export const responsesResponseSchema = z
  .object({
    id: text.describe('Starts with resp_.'),
    object: z.literal('response'),
    created_at: number.describe('Unix seconds.'),
    completed_at: number.nullable(),
    status: oneOf(['completed', 'in_progress', 'incomplete', 'failed', 'cancelled', 'queued']),
    error: z.object({ code: text, message: text }).nullable(),
    incomplete_details: z.object({ reason: oneOf(['max_output_tokens', 'content_filter']) }).nullable(),
    instructions: z.union([text, list(jsonObject)]).nullable(),
    model: text,
    output: list(outputItemSchema).describe('A list from the first event on; clients fail without it.'),
    parallel_tool_calls: flag,
    temperature: number.nullable(),
    top_p: number.nullable(),
    top_logprobs: integerFrom(0).nullish(),
    tool_choice: z.union([text, jsonObject]),
    tools: list(jsonObject),
    text: z.object({ format: jsonObject, verbosity: text.nullish() }),
    truncation: oneOf(['auto', 'disabled']),
    reasoning: z.object({ effort: text.nullable(), summary: text.nullable() }).nullable(),
    usage: responsesUsageSchema.nullable(),
    max_output_tokens: integerFrom(0).nullable(),
    max_tool_calls: integerFrom(0).nullable(),
    previous_response_id: text.nullable(),
    store: flag,
    background: flag,
    service_tier: text.nullable(),
    metadata: z.record(z.string(), text).nullable(),
    user: text.nullable(),
    prompt_cache_key: text.nullable(),
    safety_identifier: text.nullable(),
  })
  .meta({ id: 'ResponsesResponse', description: 'The whole response. Every key is always there.' });

export const responsesDeletedSchema = z
  .object({ id: text, object: z.literal('response'), deleted: z.literal(true) })
  .meta({ id: 'ResponsesDeleted', description: 'DELETE /v1/responses/{id}.' });

export const inputItemListSchema = z
  .object({
    object: z.literal('list'),
    data: list(jsonObject),
    first_id: text.nullable(),
    last_id: text.nullable(),
    has_more: flag,
  })
  .meta({ id: 'ResponsesInputItemList', description: 'GET /v1/responses/{id}/input_items.' });

export const inputTokensSchema = z
  .object({ object: z.literal('response.input_tokens'), input_tokens: integerFrom(0) })
  .meta({ id: 'ResponsesInputTokens', description: 'POST /v1/responses/input_tokens.' });

export type ResponsesResponse = z.infer<typeof responsesResponseSchema>;
export type ResponsesDeleted = z.infer<typeof responsesDeletedSchema>;
export type InputItemList = z.infer<typeof inputItemListSchema>;
export type InputTokens = z.infer<typeof inputTokensSchema>;
