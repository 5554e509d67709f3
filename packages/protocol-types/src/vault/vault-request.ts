import { z } from 'zod';
import { displayName } from './fields.js';

export const createVaultRequestSchema = z.object({ name: displayName }).meta({ id: 'CreateVaultRequest' });

/** What is left out stays as it is. */
export const updateVaultRequestSchema = z
  .object({
    name: displayName.optional(),
    requires_preconditions: z.boolean().optional().meta({
      description: 'true: changes of secrets that do not say what they replace get 428',
    }),
  })
  .meta({ id: 'UpdateVaultRequest' });

export type UpdateVaultRequest = z.infer<typeof updateVaultRequestSchema>;
