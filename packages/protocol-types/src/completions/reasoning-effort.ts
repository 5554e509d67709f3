import type { z } from 'zod';
import { oneOf } from '../common/fields.js';

export const reasoningEffortSchema = oneOf([
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'ultra',
  'max',
]).describe('How hard a thinking model thinks; none turns thinking off.');

export type ReasoningEffort = z.infer<typeof reasoningEffortSchema>;
