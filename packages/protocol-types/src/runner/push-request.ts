import type { z } from 'zod';
import { flag, object } from '../common/fields.js';
import { namedModelFields } from './named-model.js';

export const pushRequestSchema = object({
  ...namedModelFields,
  insecure: flag.nullish().describe('Allows a registry without TLS.'),
  stream: flag.nullish().describe('Streams progress unless false.'),
}).meta({ id: 'RunnerPushRequest', description: 'POST /api/push: sends a model to a registry.' });

export type PushRequest = z.infer<typeof pushRequestSchema>;
