import { z } from 'zod';
import { flag, integerFrom, list, text } from '../common/fields.js';

export const modelSchema = z
  .object({
    type: z.literal('model'),
    id: text,
    display_name: text,
    created_at: z.iso.datetime({ offset: true }),
    max_input_tokens: integerFrom(0).nullish(),
    max_tokens: integerFrom(0).nullish(),
  })
  .meta({ id: 'MessagesModel', description: 'A model that this server can answer with.' });

export const modelListSchema = z
  .object({
    data: list(modelSchema),
    has_more: flag,
    first_id: text.nullable(),
    last_id: text.nullable(),
  })
  .meta({ id: 'MessagesModelList', description: 'GET /alt/v1/models.' });

export type Model = z.infer<typeof modelSchema>;
export type ModelList = z.infer<typeof modelListSchema>;
