import type { z } from 'zod';
import { object, oneOf, text } from '../common/fields.js';

export const toolCallSchema = object({
  id: text,
  type: oneOf(['function']).nullish(),
  function: object({ name: text, arguments: text.describe('A JSON string, as the model wrote it.') }),
}).meta({ id: 'ChatToolCall', description: 'A call that the model made.' });

export type ToolCall = z.infer<typeof toolCallSchema>;
