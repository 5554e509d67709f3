import { z } from 'zod';
import { note, secretKey, tags, timestamp } from './fields.js';

/** Everything about a secret except its value. */
export const updateSecretRequestSchema = z
  .object({
    key: secretKey.optional(),
    note: note.nullable().optional(),
    tags: tags.optional(),
    expires_at: timestamp.nullable().optional(),
  })
  .meta({ id: 'UpdateSecretRequest' });

export type UpdateSecretRequest = z.infer<typeof updateSecretRequestSchema>;
