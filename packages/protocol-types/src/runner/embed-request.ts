import type { z } from 'zod';
import { either, flag, integerFrom, list, object, text } from '../common/fields.js';
import { keepAliveSchema } from '../common/keep-alive.js';
import { modelField } from './generation-fields.js';
import { optionsSchema } from './options.js';

export const embedRequestSchema = object({
  model: modelField,
  input: either('a string or a list of strings', [text, list(text)])
    .nullish()
    .describe('One text or several. Empty: the model is only loaded.'),
  truncate: flag.nullish().describe('Cuts a text that is longer than the context; false refuses it.'),
  dimensions: integerFrom(1).nullish().describe('Cuts each vector to this length and normalises it again.'),
  options: optionsSchema.nullish(),
  keep_alive: keepAliveSchema.nullish(),
}).meta({ id: 'RunnerEmbedRequest', description: 'POST /api/embed: vectors for one or more texts.' });

export type EmbedRequest = z.infer<typeof embedRequestSchema>;
