import { z } from 'zod';
import { timestamp } from './fields.js';

/** A vault in a list: exactly these four fields. */
export const vaultSummarySchema = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    is_encrypted: z.boolean().meta({ description: 'Whether values are sealed at rest' }),
    created_at: timestamp,
  })
  .meta({ id: 'VaultSummary' });

export type VaultSummary = z.infer<typeof vaultSummarySchema>;
