import { z } from 'zod';
import { either, list, object, oneOf, text } from '../common/fields.js';

const named = object({ type: oneOf(['function']), function: object({ name: text }) });

export const toolChoiceSchema = either('"none", "auto", "required" or an object that names a function', [
  oneOf(['none', 'auto', 'required']),
  z.discriminatedUnion(
    'type',
    [
      object({ type: z.literal('function'), function: object({ name: text }) }),
      object({
        type: z.literal('allowed_tools'),
        allowed_tools: object({ mode: oneOf(['auto', 'required']), tools: list(named) }),
      }),
    ],
    { error: 'must be one of function, allowed_tools' },
  ),
]).meta({
  id: 'ChatToolChoice',
  description: 'Whether the model may, must or must not call a tool, and which.',
});

export type ToolChoice = z.infer<typeof toolChoiceSchema>;
