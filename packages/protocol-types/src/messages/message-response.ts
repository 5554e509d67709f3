import { z } from 'zod';
import { jsonObject, list, oneOf, text } from '../common/fields.js';
import { usageSchema } from './usage.js';

export const stopReasonSchema = oneOf([
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
]).meta({ id: 'MessagesStopReason', description: 'Why the answer ended.' });

/** A piece of an answer, whole or (at the start of a streamed block) still empty. */
export const replyBlockSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('thinking'), thinking: text, signature: text }),
    z.object({ type: z.literal('redacted_thinking'), data: text }),
    z.object({ type: z.literal('text'), text, citations: list(jsonObject).nullish() }),
    z.object({
      type: z.literal('tool_use'),
      id: text.describe('Starts with toolu_.'),
      name: text,
      input: jsonObject,
      caller: z.object({ type: text }).optional(),
    }),
  ])
  .meta({ id: 'MessagesReplyBlock', description: 'A piece of the answer.' });

const replyFields = {
  id: text.describe('Starts with msg_.'),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: text,
  content: list(replyBlockSchema),
  stop_sequence: text.nullable().describe('The stop sequence that ended it.'),
  stop_details: jsonObject.nullish(),
  container: jsonObject.nullish(),
  diagnostics: jsonObject.nullish(),
  usage: usageSchema,
};

export const messageResponseSchema = z
  .object({ ...replyFields, stop_reason: stopReasonSchema })
  .meta({ id: 'MessageResponse', description: 'The whole answer.' });

export const startedMessageSchema = z
  .object({ ...replyFields, stop_reason: z.null() })
  .meta({ id: 'StartedMessage', description: 'The answer as it stands when a stream begins.' });

export type StopReason = z.infer<typeof stopReasonSchema>;
export type ReplyBlock = z.infer<typeof replyBlockSchema>;
export type MessageResponse = z.infer<typeof messageResponseSchema>;
export type StartedMessage = z.infer<typeof startedMessageSchema>;
