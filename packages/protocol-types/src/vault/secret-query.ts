import { z } from 'zod';
import { environmentSlug, querySwitch, secretPath } from './fields.js';
import { vaultLimits } from './limits.js';

/** Which secret a URL means: its name stands in the path, its environment and folder in the query. */
export const secretPlaceQuerySchema = z.object({
  env: environmentSlug,
  path: secretPath.default('/'),
});

export const readSecretQuerySchema = secretPlaceQuerySchema.extend({
  version: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a version number')
    .transform(Number)
    .optional(),
});

export const deleteSecretQuerySchema = secretPlaceQuerySchema.extend({
  destroy: querySwitch
    .default(false)
    .meta({ description: 'Wipe every version for good; needs a browser session' }),
  confirm: z.string().optional().meta({ description: 'The key again, when destroying' }),
});

export const listSecretsQuerySchema = z.object({
  env: environmentSlug.optional(),
  path: secretPath.optional().meta({ description: 'Only this folder and those below it' }),
  q: z.string().max(255).optional().meta({ description: 'Part of a key or note, in any case' }),
  tag: z.string().max(vaultLimits.tagLength).optional().meta({ description: 'Only those with this tag' }),
  include: z
    .enum(['values'], { error: 'must be values' })
    .optional()
    .meta({ description: 'values: with their values' }),
  trash: querySwitch.default(false).meta({ description: 'List the trash instead' }),
  limit: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a number')
    .transform(Number)
    .pipe(z.int().min(1, 'must be at least 1').max(vaultLimits.secretsPerVault, 'must be at most 5000'))
    .default(vaultLimits.secretsPerVault)
    .meta({ description: 'How many at most; all of them unless given' }),
  cursor: z
    .string()
    .max(2048)
    .optional()
    .meta({ description: 'Where the next page begins, from the Link header' }),
});

export type ListSecretsQuery = z.infer<typeof listSecretsQuerySchema>;
