import { z } from 'zod';
import { integerFrom, list, oneOf, text } from '../common/fields.js';
import { logprobsSchema } from './logprobs.js';
import { timingsSchema } from './timings.js';
import { usageSchema } from './usage.js';

export const finishReasonSchema = oneOf([
  'stop',
  'length',
  'tool_calls',
  'content_filter',
  'function_call',
]).meta({ id: 'ChatFinishReason', description: 'Why the answer ended.' });

const replySchema = z
  .object({
    role: z.literal('assistant'),
    content: text.nullable(),
    refusal: text.nullable(),
    reasoning_content: text.optional(),
    reasoning: text.optional(),
    tool_calls: list(
      z.object({
        id: text,
        type: z.literal('function'),
        function: z.object({ name: text, arguments: text.describe('A JSON string.') }),
      }),
    ).optional(),
    function_call: z.object({ name: text, arguments: text }).optional(),
  })
  .meta({ id: 'ChatReply', description: 'What the model said.' });

export const chatResponseSchema = z
  .object({
    id: text.describe('Starts with chatcmpl-.'),
    object: z.literal('chat.completion'),
    created: integerFrom(0).describe('Unix seconds.'),
    model: text,
    system_fingerprint: text.nullish(),
    service_tier: text.nullish(),
    choices: list(
      z.object({
        index: integerFrom(0),
        message: replySchema,
        logprobs: logprobsSchema.nullable(),
        finish_reason: finishReasonSchema,
      }),
    ),
    usage: usageSchema,
    timings: timingsSchema.optional(),
  })
  .meta({ id: 'ChatResponse', description: 'The whole answer.' });

export type FinishReason = z.infer<typeof finishReasonSchema>;
export type ChatResponse = z.infer<typeof chatResponseSchema>;
