import { z } from 'zod';
import { timestamp } from './fields.js';
import { providerName } from './provider.js';

/** One login at one provider that opens this account. */
export const identitySchema = z
  .strictObject({
    id: z.uuid(),
    provider: providerName,
    username: z.string().nullable().meta({ description: 'As the provider showed it at the last sign-in' }),
    current: z.boolean().meta({ description: 'Whether the session that asks was opened with it' }),
    created_at: timestamp,
    last_login_at: timestamp.nullable(),
  })
  .meta({ id: 'Identity' });

export type IdentityMessage = z.infer<typeof identitySchema>;
