import { z } from 'zod';
import { integer, jsonObject, list, text } from '../common/fields.js';
import { capabilitySchema, modelDetailsSchema } from './model-details.js';

export const showResponseSchema = z
  .object({
    license: text.optional(),
    modelfile: text.optional(),
    parameters: text.optional().describe('One `name value` a line.'),
    template: text.optional(),
    system: text.optional(),
    renderer: text.optional(),
    parser: text.optional(),
    details: modelDetailsSchema,
    messages: list(z.object({ role: text, content: text })).optional(),
    model_info: jsonObject.describe('The key-value part of the model file; always there.'),
    projector_info: jsonObject.optional(),
    tensors: list(z.object({ name: text, type: text, shape: list(integer) })).optional(),
    capabilities: list(capabilitySchema).optional(),
    modified_at: z.iso.datetime({ offset: true }).optional(),
    requires: text.optional(),
  })
  .meta({ id: 'RunnerShowResponse', description: 'All about one model.' });

export type ShowResponse = z.infer<typeof showResponseSchema>;
