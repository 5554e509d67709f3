import type { z } from 'zod';
import { either, flag, ignored, jsonObject, object, oneOf, text } from '../common/fields.js';

const name = text.min(1, 'must not be empty');

export const customToolSchema = object({
  type: oneOf(['custom']).nullish(),
  name,
  description: text.nullish(),
  input_schema: jsonObject.describe('JSON Schema of the input.'),
  strict: flag.nullish(),
  eager_input_streaming: ignored,
  input_examples: ignored,
  defer_loading: ignored,
});

/** A tool that the hosted API brings itself, such as `bash_20250124`. It has no schema of its own. */
export const hostedToolSchema = object({
  type: text.refine((type) => type !== 'custom', {
    error: 'must not be "custom" without an input_schema',
    // So that the union reports the other form's problem: the missing schema.
    abort: true,
  }),
  name,
});

export const toolSchema = either('an object with a name and an input_schema', [
  customToolSchema,
  hostedToolSchema,
]).meta({ id: 'MessagesTool', description: 'A tool that the model may use.' });

export type CustomTool = z.infer<typeof customToolSchema>;
export type HostedTool = z.infer<typeof hostedToolSchema>;
export type Tool = z.infer<typeof toolSchema>;
