import { z } from 'zod';
import { integerFrom, list, text } from '../common/fields.js';
import { finishReasonSchema } from './chat-response.js';
import { logprobsSchema } from './logprobs.js';
import { promptProgressSchema, timingsSchema } from './timings.js';
import { usageSchema } from './usage.js';

const toolCallDelta = z
  .object({
    index: integerFrom(0).describe('Which call this piece belongs to. Clients lose a piece without it.'),
    id: text.optional(),
    type: z.literal('function').optional(),
    function: z.object({ name: text.optional(), arguments: text.optional() }),
  })
  .meta({
    id: 'ChatToolCallDelta',
    description: 'A piece of a tool call; the first one has id, type and name.',
  });

const deltaSchema = z
  .object({
    role: z.literal('assistant').optional().describe('In the first piece of each choice.'),
    content: text.nullish(),
    refusal: text.nullish(),
    reasoning_content: text.optional(),
    reasoning: text.optional(),
    tool_calls: list(toolCallDelta).optional(),
    function_call: z.object({ name: text.optional(), arguments: text.optional() }).optional(),
  })
  .meta({ id: 'ChatDelta', description: 'The next piece of the answer.' });

export const chatChunkSchema = z
  .object({
    id: text.describe('The same in every chunk of one answer.'),
    object: z.literal('chat.completion.chunk'),
    created: integerFrom(0).describe('Unix seconds; the same in every chunk of one answer.'),
    model: text,
    system_fingerprint: text.nullish(),
    service_tier: text.nullish(),
    choices: list(
      z.object({
        index: integerFrom(0),
        delta: deltaSchema,
        logprobs: logprobsSchema.nullish(),
        finish_reason: finishReasonSchema.nullable(),
      }),
    ).describe('Empty in the usage chunk, never left out.'),
    usage: usageSchema.nullish(),
    timings: timingsSchema.optional(),
    prompt_progress: promptProgressSchema.optional(),
  })
  .meta({ id: 'ChatChunk', description: 'One frame of a streamed answer. The stream ends with [DONE].' });

export type ChatChunk = z.infer<typeof chatChunkSchema>;
