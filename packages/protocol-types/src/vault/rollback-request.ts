import { z } from 'zod';
import { versionNumber } from './fields.js';

export const rollbackRequestSchema = z.object({ version: versionNumber }).meta({ id: 'RollbackRequest' });

export type RollbackRequest = z.infer<typeof rollbackRequestSchema>;
