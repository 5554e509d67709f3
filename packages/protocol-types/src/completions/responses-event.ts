import { z } from 'zod';
import { integerFrom, list, text } from '../common/fields.js';
import { tokenLogprobSchema } from './logprobs.js';
import { outputItemSchema, outputPartSchema, summaryPartSchema } from './responses-output-item.js';
import { responsesResponseSchema } from './responses-response.js';

function event<const Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({
    type: z.literal(type),
    sequence_number: integerFrom(0).describe('Counts events from 0.'),
    ...shape,
  });
}

const whole = { response: responsesResponseSchema };
const item = { output_index: integerFrom(0), item: outputItemSchema };
const inItem = { item_id: text, output_index: integerFrom(0) };
const inContent = { ...inItem, content_index: integerFrom(0) };
const inSummary = { ...inItem, summary_index: integerFrom(0) };

export const responsesEventSchema = z
  .discriminatedUnion('type', [
    event('response.created', whole),
    event('response.queued', whole),
    event('response.in_progress', whole),
    event('response.output_item.added', item),
    event('response.output_item.done', item),
    event('response.content_part.added', { ...inContent, part: outputPartSchema }),
    event('response.content_part.done', { ...inContent, part: outputPartSchema }),
    event('response.output_text.delta', { ...inContent, delta: text, logprobs: list(tokenLogprobSchema) }),
    event('response.output_text.done', { ...inContent, text, logprobs: list(tokenLogprobSchema) }),
    event('response.refusal.delta', { ...inContent, delta: text }),
    event('response.refusal.done', { ...inContent, refusal: text }),
    event('response.reasoning_text.delta', { ...inContent, delta: text }),
    event('response.reasoning_text.done', { ...inContent, text }),
    event('response.reasoning_summary_part.added', { ...inSummary, part: summaryPartSchema }),
    event('response.reasoning_summary_part.done', { ...inSummary, part: summaryPartSchema }),
    event('response.reasoning_summary_text.delta', { ...inSummary, delta: text }),
    event('response.reasoning_summary_text.done', { ...inSummary, text }),
    event('response.function_call_arguments.delta', { ...inItem, delta: text }),
    event('response.function_call_arguments.done', { ...inItem, name: text, arguments: text }),
    event('response.completed', whole),
    event('response.incomplete', whole),
    event('response.failed', whole),
    event('keepalive', {}),
    event('error', { code: text.nullable(), message: text, param: text.nullable() }),
  ])
  .meta({
    id: 'ResponsesEvent',
    description: 'One event of a streamed response; its name is its type. Clients refuse any other type.',
  });

export type ResponsesEvent = z.infer<typeof responsesEventSchema>;
