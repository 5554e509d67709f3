import { z } from 'zod';
import { jsonObject, list, oneOf, text } from '../common/fields.js';
import { tokenLogprobSchema } from './logprobs.js';

const itemStatus = oneOf(['in_progress', 'completed', 'incomplete']);

export const outputPartSchema = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('output_text'),
      text,
      annotations: list(jsonObject),
      logprobs: list(tokenLogprobSchema).optional(),
    }),
    z.object({ type: z.literal('refusal'), refusal: text }),
    z.object({ type: z.literal('reasoning_text'), text }),
  ])
  .meta({ id: 'ResponsesOutputPart', description: 'A piece of the answer.' });

export const summaryPartSchema = z.object({ type: z.literal('summary_text'), text });

export const outputItemSchema = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('message'),
      id: text.describe('Starts with msg_.'),
      status: itemStatus,
      role: z.literal('assistant'),
      content: list(outputPartSchema),
    }),
    z.object({
      type: z.literal('function_call'),
      id: text.describe('Starts with fc_.'),
      call_id: text.describe('Starts with call_; the result names it.'),
      name: text,
      arguments: text.describe('A JSON string.'),
      status: itemStatus,
    }),
    z.object({
      type: z.literal('reasoning'),
      id: text.describe('Starts with rs_.'),
      summary: list(summaryPartSchema),
      content: list(outputPartSchema).optional(),
      encrypted_content: text.nullish(),
      status: itemStatus.optional(),
    }),
  ])
  .meta({ id: 'ResponsesOutputItem', description: 'What the model did: said, called or thought something.' });

export type OutputPart = z.infer<typeof outputPartSchema>;
export type SummaryPart = z.infer<typeof summaryPartSchema>;
export type OutputItem = z.infer<typeof outputItemSchema>;
