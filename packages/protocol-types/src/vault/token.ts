import { z } from 'zod';
import { timestamp } from './fields.js';

/** A token without its value and without its hash. */
export const tokenSchema = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    hint: z.string().meta({ description: 'The prefix and the last four characters of the random part' }),
    scopes: z.array(z.string()).meta({ description: 'As chosen when it was made' }),
    effective_scopes: z.array(z.string()).meta({ description: 'With everything that the chosen ones imply' }),
    vault_ids: z.array(z.uuid()).nullable().meta({ description: 'Only these vaults; null: all' }),
    environments: z.array(z.string()).nullable().meta({ description: 'Only these environments; null: all' }),
    vault_environments: z
      .array(
        z
          .strictObject({ vault_id: z.uuid(), environments: z.array(z.string()) })
          .meta({ id: 'VaultEnvironments' }),
      )
      .meta({ description: 'Vaults where environments were renamed since: there these count instead' }),
    ip_allow: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Only from these ranges; null: from anywhere' }),
    status: z.enum(['active', 'expired', 'revoked']),
    created_at: timestamp,
    expires_at: timestamp.nullable(),
    last_used_at: timestamp.nullable(),
    last_used_ip: z.string().nullable(),
    last_used_user_agent: z.string().nullable(),
    use_count: z.int().meta({ description: 'Counted at most once a minute' }),
    revoked_at: timestamp.nullable(),
    rotated_to: z.uuid().nullable(),
    leak: z
      .strictObject({
        reported_by: z
          .enum(['github', 'anonymous'])
          .meta({ description: 'github: the report bore GitHub’s signature' }),
        url: z.string().nullable().meta({ description: 'Where it was found, in the reporter’s words' }),
      })
      .meta({ id: 'TokenLeak' })
      .nullable()
      .meta({ description: 'Revoked because it was reported as leaked, at revoked_at' }),
  })
  .meta({ id: 'Token' });

/** The only answer that ever holds a token's value. */
export const createdTokenSchema = z
  .strictObject({ ...tokenSchema.shape, token: z.string().meta({ description: 'Shown this once' }) })
  .meta({ id: 'CreatedToken' });

export type TokenMessage = z.infer<typeof tokenSchema>;
export type CreatedTokenMessage = z.infer<typeof createdTokenSchema>;
