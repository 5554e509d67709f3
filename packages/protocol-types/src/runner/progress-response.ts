import { z } from 'zod';
import { integerFrom, text } from '../common/fields.js';

export const progressResponseSchema = z
  .object({
    status: text.describe('What is going on now; the last one is "success".'),
    digest: text.optional(),
    total: integerFrom(0).optional().describe('Bytes in all.'),
    completed: integerFrom(0).optional().describe('Bytes done.'),
  })
  .meta({ id: 'RunnerProgressResponse', description: 'One line of the progress of pull, push or create.' });

export type ProgressResponse = z.infer<typeof progressResponseSchema>;
