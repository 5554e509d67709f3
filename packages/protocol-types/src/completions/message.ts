import { z } from 'zod';
import { list, object, text } from '../common/fields.js';
import { assistantContentSchema, textContentSchema, userContentSchema } from './content-part.js';
import { toolCallSchema } from './tool-call.js';

const systemMessage = object({ role: z.literal('system'), content: textContentSchema, name: text.nullish() });
const developerMessage = object({
  role: z.literal('developer'),
  content: textContentSchema,
  name: text.nullish(),
});
const userMessage = object({ role: z.literal('user'), content: userContentSchema, name: text.nullish() });
const assistantMessage = object({
  role: z.literal('assistant'),
  content: assistantContentSchema.nullish().describe('May be null beside tool calls.'),
  reasoning_content: text.nullish().describe('What the model thought before it answered.'),
  reasoning: text.nullish().describe('Another spelling of `reasoning_content`.'),
  refusal: text.nullish(),
  tool_calls: list(toolCallSchema).nullish(),
  function_call: object({ name: text, arguments: text }).nullish().describe('Older form of `tool_calls`.'),
  name: text.nullish(),
});
const toolMessage = object({ role: z.literal('tool'), content: textContentSchema, tool_call_id: text });
const functionMessage = object({
  role: z.literal('function'),
  content: text.nullish(),
  name: text,
}).describe('Older form of a tool message.');

export const messageSchema = z
  .discriminatedUnion(
    'role',
    [systemMessage, developerMessage, userMessage, assistantMessage, toolMessage, functionMessage],
    { error: 'must be one of system, developer, user, assistant, tool, function' },
  )
  .meta({ id: 'ChatMessage', description: 'One message of a conversation.' });

export type Message = z.infer<typeof messageSchema>;
