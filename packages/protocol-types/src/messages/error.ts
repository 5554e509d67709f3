import { z } from 'zod';
import { oneOf, text } from '../common/fields.js';

export const errorTypeSchema = oneOf([
  'invalid_request_error',
  'authentication_error',
  'billing_error',
  'permission_error',
  'not_found_error',
  'timeout_error',
  'conflict_error',
  'request_too_large',
  'rate_limit_error',
  'api_error',
  'overloaded_error',
]);

export const errorSchema = z
  .object({
    type: z.literal('error'),
    error: z.looseObject({ type: errorTypeSchema, message: text }),
    request_id: text.optional().describe('The same as the request-id header.'),
  })
  .meta({
    id: 'MessagesError',
    description: 'The body of a failed request, or the event of a stream that broke.',
  });

export type ErrorType = z.infer<typeof errorTypeSchema>;
export type ErrorBody = z.infer<typeof errorSchema>;
