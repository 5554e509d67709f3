import { z } from 'zod';
import { environmentSlug, secretPath } from './fields.js';

export const exportQuerySchema = z.object({
  env: environmentSlug,
  path: secretPath.default('/'),
  format: z
    .enum(['dotenv', 'json', 'yaml', 'shell', 'docker'], {
      error: 'must be dotenv, json, yaml, shell or docker',
    })
    .default('dotenv'),
});

export type ExportQuery = z.infer<typeof exportQuerySchema>;
