import type { z } from 'zod';
import { object } from '../common/fields.js';
import { promptFields } from './prompt-fields.js';

export const countTokensRequestSchema = object(promptFields).meta({
  id: 'CountTokensRequest',
  description: 'POST /alt/v1/messages/count_tokens: how long a prompt would be.',
});

export type CountTokensRequest = z.infer<typeof countTokensRequestSchema>;
