import { z } from 'zod';
import { integerFrom } from '../common/fields.js';

export const countTokensResponseSchema = z
  .object({ input_tokens: integerFrom(0) })
  .meta({ id: 'CountTokensResponse', description: 'The length of the prompt in tokens.' });

export type CountTokensResponse = z.infer<typeof countTokensResponseSchema>;
