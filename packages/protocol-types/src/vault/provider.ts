import { z } from 'zod';

export const providerName = z.enum(['github', 'google']);

/** A way to sign in that this vault is set up for. */
export const providerSchema = z
  .strictObject({
    name: providerName,
    label: z.string(),
    stand_in: z.boolean().meta({ description: 'Whether it is a local stand-in that lets anybody in' }),
    sign_in_path: z
      .string()
      .meta({ description: 'A link to follow; add ?return_to=/path to come back there' }),
    link_path: z.string().meta({ description: 'A link that adds this login to the account signed in' }),
  })
  .meta({ id: 'Provider' });

export type ProviderName = z.infer<typeof providerName>;
export type ProviderMessage = z.infer<typeof providerSchema>;
