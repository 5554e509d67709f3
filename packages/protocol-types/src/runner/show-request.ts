import type { z } from 'zod';
import { flag, object, text } from '../common/fields.js';
import { namedModelFields } from './named-model.js';
import { optionsSchema } from './options.js';

export const showRequestSchema = object({
  ...namedModelFields,
  verbose: flag.nullish().describe('Keeps the long lists of the model file, and its tensors.'),
  system: text.nullish(),
  options: optionsSchema.nullish(),
}).meta({ id: 'RunnerShowRequest', description: 'POST /api/show: all about one model.' });

export type ShowRequest = z.infer<typeof showRequestSchema>;
