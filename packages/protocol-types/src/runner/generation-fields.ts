import { either, flag, integerBetween, jsonObject, oneOf, text } from '../common/fields.js';
import { keepAliveSchema } from '../common/keep-alive.js';
import { optionsSchema } from './options.js';

/** Every inference request says which model. An empty name is left to the dialect, which knows no such model. */
export const modelField = text.describe('Model name with an optional tag, such as `ember:latest`.');

/** What generate and chat requests have in common. */
export const generationFields = {
  model: modelField,
  format: either('"json" or a JSON Schema object', [oneOf(['json', '']), jsonObject])
    .nullish()
    .describe('"json" for any JSON, or a JSON Schema that the answer follows. "" and null are off.'),
  stream: flag.nullish().describe('Streams unless false.'),
  think: either('true, false, "low", "medium", "high" or "max"', [
    flag,
    oneOf(['low', 'medium', 'high', 'max']),
  ])
    .nullish()
    .describe('Whether, and how hard, a thinking model thinks before it answers.'),
  options: optionsSchema.nullish(),
  keep_alive: keepAliveSchema.nullish(),
  truncate: flag.nullish().describe('Drops the oldest messages when the prompt is too long.'),
  shift: flag.nullish().describe('Drops the oldest tokens when the context fills up while generating.'),
  logprobs: flag.nullish(),
  top_logprobs: integerBetween(0, 20).nullish(),
  _debug_render_only: flag.nullish().describe('Answers with the rendered prompt instead of generating.'),
};
