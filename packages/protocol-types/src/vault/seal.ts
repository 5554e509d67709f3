import { z } from 'zod';

/** Longer than any passphrase, and short enough that a stranger cannot make the vault read much. */
const longestPassphrase = 1024;

export const unsealRequestSchema = z
  .strictObject({
    passphrase: z
      .string()
      .min(1, 'must not be empty')
      .max(longestPassphrase, `must have at most ${longestPassphrase} characters`)
      .meta({ description: 'The passphrase of the master key file; white space at its ends is ignored' }),
  })
  .meta({ id: 'UnsealRequest' });

/** What the person who asks can do about the seal. */
export const sealStatusSchema = z
  .strictObject({
    has_passphrase: z.boolean().meta({
      description: 'Whether the master key file has a passphrase, without which nothing can be sealed',
    }),
    may_seal: z.boolean().meta({ description: 'Whether this person is an operator' }),
  })
  .meta({ id: 'SealStatus' });

export type SealStatus = z.infer<typeof sealStatusSchema>;
export type UnsealRequest = z.infer<typeof unsealRequestSchema>;
