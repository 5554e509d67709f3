import { z } from 'zod';
import { environmentSlug, secretKey, secretPath } from './fields.js';
import { vaultLimits } from './limits.js';

const secretToMove = z
  .object({
    env: environmentSlug,
    path: secretPath.default('/'),
    key: secretKey,
    if_version: z.int().min(1).optional().meta({
      description: 'Only if this is the current version. A vault with requires_preconditions asks for it',
    }),
  })
  .meta({ id: 'SecretToMove' });

const destination = z
  .object({
    env: environmentSlug.optional().meta({ description: 'Left out: each stays in its own' }),
    path: secretPath.optional().meta({ description: 'Left out: each stays in its own' }),
  })
  .refine(({ env, path }) => env !== undefined || path !== undefined, 'must name an environment or a folder')
  .meta({ id: 'MoveDestination' });

/** Secrets that go to another environment, another folder, or both, under their names: all of them or none. */
export const moveRequestSchema = z
  .object({
    secrets: z
      .array(secretToMove)
      .min(1, 'must hold at least one secret')
      .max(vaultLimits.batchOperations, `must hold at most ${vaultLimits.batchOperations} secrets`),
    to: destination,
  })
  .meta({ id: 'MoveRequest' });

export type MoveRequest = z.input<typeof moveRequestSchema>;
