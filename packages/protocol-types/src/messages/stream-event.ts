import { z } from 'zod';
import { integerFrom, jsonObject, text } from '../common/fields.js';
import { errorSchema } from './error.js';
import { replyBlockSchema, startedMessageSchema, stopReasonSchema } from './message-response.js';

const index = integerFrom(0).describe('Counts blocks from 0, one after the other.');

const deltaSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('text_delta'), text }),
    z.object({ type: z.literal('thinking_delta'), thinking: text }),
    z.object({ type: z.literal('signature_delta'), signature: text }),
    z.object({ type: z.literal('input_json_delta'), partial_json: text }),
  ])
  .meta({ id: 'MessagesDelta', description: 'The next piece of a block.' });

const finalUsage = z.object({
  input_tokens: integerFrom(0).nullish(),
  output_tokens: integerFrom(0).describe('All of the answer so far.'),
  cache_read_input_tokens: integerFrom(0).nullish(),
  cache_creation_input_tokens: integerFrom(0).nullish(),
  output_tokens_details: z.object({ thinking_tokens: integerFrom(0) }).nullish(),
  server_tool_use: jsonObject.nullish(),
});

export const streamEventSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('message_start'), message: startedMessageSchema }),
    z.object({ type: z.literal('ping') }),
    z.object({ type: z.literal('content_block_start'), index, content_block: replyBlockSchema }),
    z.object({ type: z.literal('content_block_delta'), index, delta: deltaSchema }),
    z.object({ type: z.literal('content_block_stop'), index }),
    z.object({
      type: z.literal('message_delta'),
      delta: z.object({
        stop_reason: stopReasonSchema.nullable(),
        stop_sequence: text.nullable(),
        stop_details: jsonObject.nullish(),
        container: jsonObject.nullish(),
      }),
      usage: finalUsage,
    }),
    z.object({ type: z.literal('message_stop') }),
    errorSchema,
  ])
  .meta({ id: 'MessagesStreamEvent', description: 'One event of a streamed answer; its name is its type.' });

export type StreamEvent = z.infer<typeof streamEventSchema>;
