import { z } from 'zod';
import { integerFrom, number } from '../common/fields.js';

export const timingsSchema = z
  .object({
    cache_n: integerFrom(0),
    prompt_n: integerFrom(0),
    prompt_ms: number,
    prompt_per_second: number,
    predicted_n: integerFrom(0),
    predicted_ms: number,
    predicted_per_second: number,
  })
  .meta({ id: 'Timings', description: 'How long prompt and answer took. An extension.' });

export const promptProgressSchema = z
  .object({ total: integerFrom(0), cache: integerFrom(0), processed: integerFrom(0), time_ms: number })
  .meta({ id: 'PromptProgress', description: 'How much of the prompt is read. An extension.' });

export type Timings = z.infer<typeof timingsSchema>;
export type PromptProgress = z.infer<typeof promptProgressSchema>;
