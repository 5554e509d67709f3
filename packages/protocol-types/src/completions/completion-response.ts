import { z } from 'zod';
import { integerFrom, list, number, oneOf, text } from '../common/fields.js';
import { timingsSchema } from './timings.js';
import { usageSchema } from './usage.js';

export const completionLogprobsSchema = z
  .object({
    tokens: list(text),
    token_logprobs: list(number.nullable()),
    top_logprobs: list(z.record(z.string(), number).nullable()).nullable(),
    text_offset: list(integerFrom(0)),
  })
  .meta({ id: 'CompletionLogprobs', description: 'Log probabilities of the text, token by token.' });

const finishReason = oneOf(['stop', 'length', 'content_filter']);
const frameFields = {
  id: text.describe('Starts with cmpl-.'),
  object: z.literal('text_completion'),
  created: integerFrom(0).describe('Unix seconds.'),
  model: text,
  system_fingerprint: text.nullish(),
  timings: timingsSchema.optional(),
};
const choiceFields = { index: integerFrom(0), text, logprobs: completionLogprobsSchema.nullable() };

export const completionResponseSchema = z
  .object({
    ...frameFields,
    choices: list(z.object({ ...choiceFields, finish_reason: finishReason })),
    usage: usageSchema,
  })
  .meta({ id: 'CompletionResponse', description: 'The whole text.' });

export const completionChunkSchema = z
  .object({
    ...frameFields,
    choices: list(z.object({ ...choiceFields, finish_reason: finishReason.nullable() })),
    usage: usageSchema.nullish(),
  })
  .meta({ id: 'CompletionChunk', description: 'One frame of a streamed text. The stream ends with [DONE].' });

export type CompletionLogprobs = z.infer<typeof completionLogprobsSchema>;
export type CompletionResponse = z.infer<typeof completionResponseSchema>;
export type CompletionChunk = z.infer<typeof completionChunkSchema>;
