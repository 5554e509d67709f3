import { z } from 'zod';
import { either, list, object, oneOf, text } from '../common/fields.js';
import { unsupportedExcept } from './responses-unsupported.js';
import { functionDefinitionSchema } from './tool.js';

const functionTool = object({ type: oneOf(['function']), ...functionDefinitionSchema.shape });

export const responsesToolSchema = either('a tool', [functionTool, unsupportedExcept(['function'])]).meta({
  id: 'ResponsesTool',
  description: 'A function that the model may call; flat, unlike in chat completions.',
});

const named = object({ type: oneOf(['function']), name: text });

export const responsesToolChoiceSchema = either(
  '"none", "auto", "required" or an object that names a function',
  [
    oneOf(['none', 'auto', 'required']),
    z.discriminatedUnion(
      'type',
      [
        object({ type: z.literal('function'), name: text }),
        object({
          type: z.literal('allowed_tools'),
          mode: oneOf(['auto', 'required']),
          tools: list(named),
        }),
      ],
      { error: 'must be one of function, allowed_tools' },
    ),
  ],
).meta({
  id: 'ResponsesToolChoice',
  description: 'Whether the model may, must or must not call a tool, and which.',
});

export type ResponsesTool = z.infer<typeof responsesToolSchema>;
export type ResponsesToolChoice = z.infer<typeof responsesToolChoiceSchema>;
