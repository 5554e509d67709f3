import { z } from 'zod';
import { flag, jsonObject, object, text } from '../common/fields.js';

export const responseFormatSchema = z
  .discriminatedUnion(
    'type',
    [
      object({ type: z.literal('text') }),
      object({ type: z.literal('json_object'), schema: jsonObject.nullish() }),
      object({
        type: z.literal('json_schema'),
        json_schema: object({
          name: text.nullish(),
          description: text.nullish(),
          schema: jsonObject.nullish(),
          strict: flag.nullish(),
        }),
      }),
    ],
    { error: 'must be one of text, json_object, json_schema' },
  )
  .meta({ id: 'ChatResponseFormat', description: 'Plain text, any JSON, or JSON that follows a schema.' });

export type ResponseFormat = z.infer<typeof responseFormatSchema>;
