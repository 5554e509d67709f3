import { z } from 'zod';
import { flag, object, text } from '../common/fields.js';

export const toolChoiceSchema = z
  .discriminatedUnion(
    'type',
    [
      object({ type: z.literal('auto'), disable_parallel_tool_use: flag.nullish() }),
      object({ type: z.literal('any'), disable_parallel_tool_use: flag.nullish() }),
      object({ type: z.literal('tool'), name: text, disable_parallel_tool_use: flag.nullish() }),
      object({ type: z.literal('none') }),
    ],
    { error: 'must be one of auto, any, tool, none' },
  )
  .meta({
    id: 'MessagesToolChoice',
    description: 'Whether the model may, must or must not use a tool, and which.',
  });

export type ToolChoice = z.infer<typeof toolChoiceSchema>;
