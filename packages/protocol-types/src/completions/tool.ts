import type { z } from 'zod';
import { flag, jsonObject, object, oneOf, text } from '../common/fields.js';

export const functionDefinitionSchema = object({
  name: text.min(1, 'must not be empty'),
  description: text.nullish(),
  parameters: jsonObject.nullish().describe('JSON Schema of the arguments.'),
  strict: flag.nullish(),
});

export const toolSchema = object({
  type: oneOf(['function']),
  function: functionDefinitionSchema,
}).meta({ id: 'ChatTool', description: 'A function that the model may call.' });

export type Tool = z.infer<typeof toolSchema>;
