import type { z } from 'zod';
import { flag, object } from '../common/fields.js';
import { namedModelFields } from './named-model.js';

export const pullRequestSchema = object({
  ...namedModelFields,
  insecure: flag.nullish().describe('Allows a registry without TLS.'),
  stream: flag.nullish().describe('Streams progress unless false.'),
}).meta({ id: 'RunnerPullRequest', description: 'POST /api/pull: fetches a model.' });

export type PullRequest = z.infer<typeof pullRequestSchema>;
