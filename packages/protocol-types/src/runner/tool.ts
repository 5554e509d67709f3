import type { z } from 'zod';
import { jsonObject, object, oneOf, text } from '../common/fields.js';

export const toolSchema = object({
  type: oneOf(['function']).nullish(),
  function: object({
    name: text.min(1, 'must not be empty'),
    description: text.nullish(),
    parameters: jsonObject.nullish().describe('JSON Schema of the arguments, kept whole and in order.'),
  }),
}).meta({ id: 'RunnerTool', description: 'A function that the model may call.' });

export type Tool = z.infer<typeof toolSchema>;
