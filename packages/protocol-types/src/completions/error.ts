import { z } from 'zod';
import { integerFrom, text } from '../common/fields.js';

export const errorSchema = z
  .object({
    error: z.object({
      message: text,
      type: text.describe('Such as invalid_request_error or server_error.'),
      param: text.nullable().describe('The field at fault.'),
      code: text.nullable().describe('Such as model_not_found or context_length_exceeded.'),
      n_prompt_tokens: integerFrom(0).optional().describe('With a prompt that is too long: its length.'),
      n_ctx: integerFrom(0).optional().describe('With a prompt that is too long: the context size.'),
    }),
  })
  .meta({
    id: 'CompletionsError',
    description: 'The body of a failed request, or a frame of a stream that broke.',
  });

export type ErrorBody = z.infer<typeof errorSchema>;
