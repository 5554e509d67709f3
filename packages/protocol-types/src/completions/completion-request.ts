import type { z } from 'zod';
import { either, flag, ignored, integerBetween, integerFrom, list, object, text } from '../common/fields.js';
import { extensionFields, samplingFields, tokenLimitFrom } from './sampling-fields.js';

const tokens = list(integerFrom(0));

export const completionRequestSchema = object({
  model: text,
  prompt: either('a string, a list of strings, a list of tokens or a list of token lists', [
    text,
    list(text),
    tokens,
    list(tokens),
  ]).nullish(),
  ...samplingFields,
  ...extensionFields,
  suffix: text.nullish().describe('The text after the gap, for models that fill in the middle.'),
  max_tokens: tokenLimitFrom(0).nullish(),
  best_of: integerBetween(1, 20).nullish(),
  echo: flag.nullish().describe('Repeats the prompt before the answer.'),
  logprobs: integerBetween(0, 5).nullish(),
  user: ignored,
}).meta({ id: 'CompletionRequest', description: 'POST /v1/completions: plain text, carried on.' });

export type CompletionRequest = z.infer<typeof completionRequestSchema>;
