import type { z } from 'zod';
import { object } from '../common/fields.js';
import { namedModelFields } from './named-model.js';

export const deleteRequestSchema = object(namedModelFields).meta({
  id: 'RunnerDeleteRequest',
  description: 'DELETE /api/delete: removes a model and the files that no other model shares.',
});

export type DeleteRequest = z.infer<typeof deleteRequestSchema>;
