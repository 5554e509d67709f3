import { z } from 'zod';
import { text } from '../common/fields.js';

export const errorSchema = z.object({ error: text.describe('Always a plain string.') }).meta({
  id: 'RunnerError',
  description: 'The body of a failed request, or the last line of a stream that broke.',
});

export type ErrorBody = z.infer<typeof errorSchema>;
