import type { z } from 'zod';
import { object, text } from '../common/fields.js';

export const copyRequestSchema = object({
  source: text,
  destination: text,
}).meta({ id: 'RunnerCopyRequest', description: 'POST /api/copy: a second name for a model.' });

export type CopyRequest = z.infer<typeof copyRequestSchema>;
