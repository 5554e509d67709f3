import { z } from 'zod';
import { integer, text } from '../common/fields.js';

export const debugRenderResponseSchema = z
  .object({
    model: text,
    created_at: z.iso.datetime(),
    _debug_info: z.object({ rendered_template: text, image_count: integer.optional() }),
  })
  .meta({
    id: 'RunnerDebugRenderResponse',
    description: 'The answer to `_debug_render_only`: the prompt itself.',
  });

export type DebugRenderResponse = z.infer<typeof debugRenderResponseSchema>;
