import type { z } from 'zod';
import { flag, list, number, object, text } from '../common/fields.js';

// Runners have always cut a fraction off instead of refusing it, and clients send `4096.0` and the like.
const wholeNumber = number.transform(Math.trunc);

/** The per-request `options` of the local-runner family, all optional. */
export const optionsSchema = object({
  num_ctx: wholeNumber.nullish().describe('Context size in tokens. A change loads the model again.'),
  num_batch: wholeNumber.nullish().describe('Most prompt tokens computed in one step.'),
  num_gpu: wholeNumber.nullish().describe('Layers on the GPU; -1 decides by itself, 0 is CPU only.'),
  main_gpu: wholeNumber.nullish(),
  use_mmap: flag.nullish(),
  num_thread: wholeNumber.nullish().describe('CPU threads; 0 decides by itself.'),
  draft_num_predict: wholeNumber.nullish(),
  num_keep: wholeNumber.nullish(),
  num_predict: wholeNumber.nullish().describe('Most tokens to generate; negative means no limit.'),
  temperature: number.nullish(),
  top_k: wholeNumber.nullish(),
  top_p: number.nullish(),
  min_p: number.nullish(),
  typical_p: number.nullish(),
  repeat_last_n: wholeNumber
    .nullish()
    .describe('Tokens looked back for the repeat penalty; 0 is off, -1 the context.'),
  repeat_penalty: number.nullish(),
  presence_penalty: number.nullish(),
  frequency_penalty: number.nullish(),
  seed: wholeNumber.nullish().describe('The same seed and request give the same text; negative is random.'),
  stop: list(text).nullish().describe('Generation ends before any of these texts.'),
}).meta({ id: 'RunnerOptions', description: 'How to load the model and how to choose tokens.' });

export type Options = z.infer<typeof optionsSchema>;
