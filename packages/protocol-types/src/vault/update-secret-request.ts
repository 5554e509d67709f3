import { z } from 'zod';
import { environmentSlug, note, secretKey, secretPath, tags, timestamp } from './fields.js';

/** Everything about a secret except its value. */
export const updateSecretRequestSchema = z
  .object({
    key: secretKey.optional().meta({ description: 'Another name' }),
    env: environmentSlug.optional().meta({ description: 'Another environment of the vault' }),
    path: secretPath.optional().meta({ description: 'Another folder' }),
    note: note.nullable().optional(),
    tags: tags.optional(),
    expires_at: timestamp.nullable().optional(),
  })
  .meta({ id: 'UpdateSecretRequest' });

export type UpdateSecretRequest = z.infer<typeof updateSecretRequestSchema>;
