import {
  either,
  flag,
  integer,
  integerBetween,
  integerFrom,
  list,
  mapOf,
  number,
  numberBetween,
  object,
  text,
} from '../common/fields.js';
import { keepAliveSchema } from '../common/keep-alive.js';
// The family's `options` extension is the local-runner options object, on purpose the very same.
import { optionsSchema } from '../runner/options.js';

/** -1 is how local servers spell "no limit". */
export function tokenLimitFrom(min: number) {
  return integer.refine(
    (value) => value === -1 || value >= min,
    `must be at least ${min}, or -1 for no limit`,
  );
}

/** What chat and text completions have in common, in the ranges of the hosted API. */
export const samplingFields = {
  stream: flag.nullish(),
  stream_options: object({
    include_usage: flag.nullish().describe('One more chunk at the end, with the usage.'),
    include_obfuscation: flag.nullish(),
  }).nullish(),
  temperature: numberBetween(0, 2).nullish(),
  top_p: numberBetween(0, 1).nullish(),
  frequency_penalty: numberBetween(-2, 2).nullish(),
  presence_penalty: numberBetween(-2, 2).nullish(),
  seed: integer.nullish(),
  stop: either('a string or a list of strings', [text, list(text)]).nullish(),
  logit_bias: mapOf(numberBetween(-100, 100), 'an object of token ids and biases').nullish(),
  n: integerBetween(1, 128).nullish().describe('How many answers.'),
};

/** What local servers added over time. */
export const extensionFields = {
  top_k: integerFrom(-1).nullish(),
  min_p: numberBetween(0, 1).nullish(),
  typical_p: numberBetween(0, 1).nullish(),
  repeat_penalty: number.min(0, 'must be at least 0').nullish(),
  repetition_penalty: number
    .min(0, 'must be at least 0')
    .nullish()
    .describe('Another spelling of `repeat_penalty`.'),
  keep_alive: keepAliveSchema.nullish(),
  ttl: number.nullish().describe('Seconds the model stays loaded after this request.'),
  options: optionsSchema.nullish(),
  grammar: text.nullish().describe('A GBNF grammar that the answer follows.'),
  cache_prompt: flag.nullish(),
  id_slot: integer.nullish(),
  timings_per_token: flag.nullish(),
  return_progress: flag.nullish(),
};
