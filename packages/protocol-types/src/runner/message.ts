import type { z } from 'zod';
import { list, object, oneOf, text } from '../common/fields.js';
import { toolCallSchema } from './tool-call.js';

export const messageSchema = object({
  role: text
    .toLowerCase()
    .pipe(oneOf(['system', 'user', 'assistant', 'tool']))
    .describe('In any case of letters.'),
  content: text.nullish(),
  thinking: text.nullish(),
  images: list(text).nullish().describe('Base64, without a data: prefix.'),
  tool_calls: list(toolCallSchema).nullish(),
  tool_name: text.nullish().describe('Which tool a `tool` message answers for.'),
  tool_call_id: text.nullish().describe('Which call a `tool` message answers.'),
}).meta({ id: 'RunnerMessage', description: 'One message of a conversation.' });

export type Message = z.infer<typeof messageSchema>;
