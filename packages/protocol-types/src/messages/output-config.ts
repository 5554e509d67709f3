import type { z } from 'zod';
import { jsonObject, object, oneOf } from '../common/fields.js';

const formatSchema = object({ type: oneOf(['json_schema']), schema: jsonObject });

export const outputConfigSchema = object({
  effort: oneOf(['low', 'medium', 'high', 'xhigh', 'max']).nullish(),
  format: formatSchema.nullish(),
}).meta({
  id: 'MessagesOutputConfig',
  description: 'How hard to think, and the JSON Schema that the answer follows.',
});

export type OutputConfig = z.infer<typeof outputConfigSchema>;
