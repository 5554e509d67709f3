import { z } from 'zod';
import { integer, integerFrom, list, number, oneOf, text } from '../common/fields.js';

const tokenProbability = {
  token: text,
  logprob: number,
  bytes: list(integer).optional(),
};

const logprobsSchema = z
  .object({ ...tokenProbability, top_logprobs: list(z.object(tokenProbability)).optional() })
  .meta({ id: 'RunnerLogprob', description: 'How likely the chosen token was, and its rivals.' });

/** What every line of a generate or chat answer carries. */
export const lineFields = {
  model: text.describe('The name as the request spelled it.'),
  created_at: z.iso.datetime().describe('RFC 3339, UTC.'),
  logprobs: list(logprobsSchema).optional(),
};

export const unfinished = { done: z.literal(false) };

const nanoseconds = integerFrom(0);

/** The last line. Counts and durations of zero are left out, as Go's `omitempty` does; durations are nanoseconds. */
export const finished = {
  done: z.literal(true),
  done_reason: oneOf(['stop', 'length', 'load', 'unload']).optional(),
  total_duration: nanoseconds.optional(),
  load_duration: nanoseconds.optional(),
  prompt_eval_count: integerFrom(0).optional().describe('Prompt tokens, those from the cache included.'),
  prompt_eval_duration: nanoseconds.optional(),
  eval_count: integerFrom(0).optional().describe('Generated tokens.'),
  eval_duration: nanoseconds.optional(),
};
