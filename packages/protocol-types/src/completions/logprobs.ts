import { z } from 'zod';
import { integer, list, number, text } from '../common/fields.js';

const probability = { token: text, logprob: number, bytes: list(integer).nullable() };

export const tokenLogprobSchema = z
  .object({ ...probability, top_logprobs: list(z.object(probability)) })
  .meta({ id: 'TokenLogprob', description: 'How likely the chosen token was, and its rivals.' });

export const logprobsSchema = z
  .object({ content: list(tokenLogprobSchema).nullable(), refusal: list(tokenLogprobSchema).nullable() })
  .meta({ id: 'ChatLogprobs', description: 'Log probabilities of the answer, token by token.' });

export type TokenLogprob = z.infer<typeof tokenLogprobSchema>;
export type Logprobs = z.infer<typeof logprobsSchema>;
