import { z } from 'zod';
import { environmentSlug } from './fields.js';

export const createEnvironmentRequestSchema = z
  .object({ slug: environmentSlug, position: z.int().min(0).max(1000).optional() })
  .meta({ id: 'CreateEnvironmentRequest' });

export const updateEnvironmentRequestSchema = z
  .object({ slug: environmentSlug.optional(), position: z.int().min(0).max(1000).optional() })
  .meta({ id: 'UpdateEnvironmentRequest' });

export type CreateEnvironmentRequest = z.infer<typeof createEnvironmentRequestSchema>;
export type UpdateEnvironmentRequest = z.infer<typeof updateEnvironmentRequestSchema>;
