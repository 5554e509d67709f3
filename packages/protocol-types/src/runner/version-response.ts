import { z } from 'zod';
import { text } from '../common/fields.js';

export const versionResponseSchema = z
  .object({ version: text.describe('Semantic version; clients compare it with the one they need.') })
  .meta({ id: 'RunnerVersionResponse', description: 'GET /api/version.' });

export type VersionResponse = z.infer<typeof versionResponseSchema>;
