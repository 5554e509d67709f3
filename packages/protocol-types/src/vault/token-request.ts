import { z } from 'zod';
import { displayName, environmentSlug } from './fields.js';
import { vaultLimits } from './limits.js';
import { scopeNames, scopeSchema } from './scope.js';

const scopes = z
  .array(scopeSchema)
  .min(1, 'must hold at least one scope')
  .max(scopeNames.length)
  .transform((list) => [...new Set(list)]);
const vaultIds = z.array(z.uuid('must be the id of a vault')).min(1).max(vaultLimits.vaultsPerUser);
const environments = z.array(environmentSlug).min(1).max(vaultLimits.environmentsPerVault);
const ipAllow = z
  .array(
    z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], {
      error: 'must be an address or a range such as 10.0.0.0/8',
    }),
  )
  .min(1)
  .max(50);

export const createTokenRequestSchema = z
  .object({
    name: displayName,
    scopes,
    expires_in_days: z
      .int()
      .min(1)
      .max(vaultLimits.expiryDays)
      .nullable()
      .default(90)
      .meta({ description: 'null: never expires' }),
    vault_ids: vaultIds.nullable().default(null),
    environments: environments.nullable().default(null),
    ip_allow: ipAllow.nullable().default(null),
  })
  .meta({ id: 'CreateTokenRequest' });

/** A new name, or fewer rights; never more. */
export const updateTokenRequestSchema = z
  .object({
    name: displayName.optional(),
    scopes: scopes.optional(),
    vault_ids: vaultIds.optional(),
    environments: environments.optional(),
    ip_allow: ipAllow.optional(),
  })
  .meta({ id: 'UpdateTokenRequest' });

export const rotateTokenRequestSchema = z
  .object({
    grace_seconds: z
      .int()
      .min(0)
      .max(vaultLimits.graceSeconds)
      .default(0)
      .meta({ description: 'How long the old value still works' }),
  })
  .meta({ id: 'RotateTokenRequest' });

export type CreateTokenRequest = z.infer<typeof createTokenRequestSchema>;
export type UpdateTokenRequest = z.infer<typeof updateTokenRequestSchema>;
export type RotateTokenRequest = z.infer<typeof rotateTokenRequestSchema>;
