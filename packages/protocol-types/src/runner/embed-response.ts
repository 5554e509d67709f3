import { z } from 'zod';
import { integerFrom, list, number, text } from '../common/fields.js';

export const embedResponseSchema = z
  .object({
    model: text,
    embeddings: list(list(number)).describe('One vector of length 1 for each input, in order.'),
    total_duration: integerFrom(0).optional(),
    load_duration: integerFrom(0).optional(),
    prompt_eval_count: integerFrom(0).optional(),
  })
  .meta({ id: 'RunnerEmbedResponse', description: 'The vectors. Durations are nanoseconds.' });

export type EmbedResponse = z.infer<typeof embedResponseSchema>;
