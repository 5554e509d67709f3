import { z } from 'zod';
import { note, tags, timestamp, valueEncoding } from './fields.js';

/** What is left out stays as it is; null clears it. The value's own rules are checked where it is decoded. */
export const putSecretRequestSchema = z
  .object({
    value: z.string(),
    encoding: valueEncoding.default('utf8'),
    note: note.nullable().optional(),
    tags: tags.optional(),
    expires_at: timestamp.nullable().optional(),
  })
  .meta({ id: 'PutSecretRequest' });

export type PutSecretRequest = z.infer<typeof putSecretRequestSchema>;
