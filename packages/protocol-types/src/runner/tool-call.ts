import type { z } from 'zod';
import { integer, jsonObject, object, text } from '../common/fields.js';

export const toolCallSchema = object({
  id: text.nullish(),
  function: object({
    index: integer.nullish(),
    name: text,
    arguments: jsonObject.describe('An object here, not a JSON string.'),
  }),
}).meta({ id: 'RunnerToolCall', description: 'A call that the model made.' });

export type ToolCall = z.infer<typeof toolCallSchema>;
