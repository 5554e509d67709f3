import { environmentSlug, secretKey } from '@hearth/protocol-types/vault/fields';
import { z } from 'zod';

export const vaultParams = z.object({ vault_id: z.uuid() });
export const environmentParams = vaultParams.extend({ slug: environmentSlug });
export const secretParams = vaultParams.extend({ key: secretKey });
export const versionParams = secretParams.extend({
  version: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform(Number),
});
export const tokenParams = z.object({ token_id: z.uuid() });
