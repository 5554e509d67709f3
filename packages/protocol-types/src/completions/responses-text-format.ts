import { z } from 'zod';
import { flag, jsonObject, object, text } from '../common/fields.js';

export const responsesTextFormatSchema = z
  .discriminatedUnion(
    'type',
    [
      object({ type: z.literal('text') }),
      object({ type: z.literal('json_object') }),
      object({
        type: z.literal('json_schema'),
        name: text,
        schema: jsonObject,
        description: text.nullish(),
        strict: flag.nullish(),
      }),
    ],
    { error: 'must be one of text, json_object, json_schema' },
  )
  .meta({ id: 'ResponsesTextFormat', description: 'Plain text, any JSON, or JSON that follows a schema.' });

export type ResponsesTextFormat = z.infer<typeof responsesTextFormatSchema>;
