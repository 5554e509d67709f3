import { z } from 'zod';
import { integer, jsonObject, list, text } from '../common/fields.js';
import { finished, lineFields, unfinished } from './generation-result-fields.js';

const replySchema = z
  .object({
    role: z.literal('assistant'),
    content: text.describe('Always there, if only empty.'),
    thinking: text.optional(),
    tool_calls: list(
      z.object({
        id: text.optional(),
        function: z.object({ index: integer.optional(), name: text, arguments: jsonObject }),
      }),
    ).optional(),
  })
  .meta({ id: 'RunnerReply', description: 'What the model said, or a piece of it. Tool calls come whole.' });

const answerFields = { ...lineFields, message: replySchema };

export const chatChunkSchema = z
  .object({ ...answerFields, ...unfinished })
  .meta({ id: 'RunnerChatChunk', description: 'One line of a streamed answer.' });

export const chatResponseSchema = z
  .object({ ...answerFields, ...finished })
  .meta({ id: 'RunnerChatResponse', description: 'The whole answer, or the last line of a streamed one.' });

export const chatLineSchema = z.discriminatedUnion('done', [chatChunkSchema, chatResponseSchema]);

export type ChatChunk = z.infer<typeof chatChunkSchema>;
export type ChatResponse = z.infer<typeof chatResponseSchema>;
export type ChatLine = z.infer<typeof chatLineSchema>;
