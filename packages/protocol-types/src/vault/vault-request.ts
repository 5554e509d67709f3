import { z } from 'zod';
import { displayName } from './fields.js';

/** Makes a vault, or renames one. */
export const vaultRequestSchema = z.object({ name: displayName }).meta({ id: 'VaultRequest' });

export type VaultRequest = z.infer<typeof vaultRequestSchema>;
