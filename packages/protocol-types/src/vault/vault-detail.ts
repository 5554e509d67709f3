import { z } from 'zod';
import { timestamp } from './fields.js';

export const vaultDetailSchema = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    is_encrypted: z.boolean(),
    is_personal: z.boolean().meta({ description: 'Made with the account; cannot be deleted' }),
    requires_preconditions: z.boolean().meta({
      description:
        'Whether a change of a secret must say what it replaces: If-Match, If-None-Match or if_version',
    }),
    revision: z.int().meta({ description: 'Grows with every change inside the vault' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'VaultDetail' });

export type VaultDetail = z.infer<typeof vaultDetailSchema>;
