import type { z } from 'zod';
import { either, flag, integer, integerFrom, list, numberBetween, object, text } from '../common/fields.js';
import { promptFields } from './prompt-fields.js';

export const messageRequestSchema = object({
  ...promptFields,
  max_tokens: integerFrom(0)
    .nullish()
    .describe(
      'Most tokens to generate; 4096 if left out. 0 reads the prompt into the cache and answers nothing.',
    ),
  stream: flag.nullish(),
  temperature: numberBetween(0, 1).nullish(),
  top_p: numberBetween(0, 1).nullish(),
  top_k: integerFrom(0).nullish(),
  stop_sequences: list(text)
    .nullish()
    .describe('Generation ends before any of these texts; the answer says which.'),
  stop: either('a string or a list of strings', [text, list(text)])
    .nullish()
    .describe('An extension: more stop sequences.'),
  frequency_penalty: numberBetween(-2, 2).nullish().describe('An extension.'),
  seed: integer.nullish().describe('An extension: the same seed and request give the same answer.'),
}).meta({ id: 'MessageRequest', description: 'POST /alt/v1/messages: the next message of a conversation.' });

export type MessageRequest = z.infer<typeof messageRequestSchema>;
