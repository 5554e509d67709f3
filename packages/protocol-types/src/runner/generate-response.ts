import { z } from 'zod';
import { integer, list, text } from '../common/fields.js';
import { finished, lineFields, unfinished } from './generation-result-fields.js';

const answerFields = {
  ...lineFields,
  response: text.describe('The next piece of text, or all of it; always there, if only empty.'),
  thinking: text.optional(),
};

export const generateChunkSchema = z
  .object({ ...answerFields, ...unfinished })
  .meta({ id: 'RunnerGenerateChunk', description: 'One line of a streamed answer.' });

export const generateResponseSchema = z
  .object({
    ...answerFields,
    ...finished,
    context: list(integer).optional().describe('Deprecated: tokens to send back as `context`.'),
  })
  .meta({
    id: 'RunnerGenerateResponse',
    description: 'The whole answer, or the last line of a streamed one.',
  });

export const generateLineSchema = z.discriminatedUnion('done', [generateChunkSchema, generateResponseSchema]);

export type GenerateChunk = z.infer<typeof generateChunkSchema>;
export type GenerateResponse = z.infer<typeof generateResponseSchema>;
export type GenerateLine = z.infer<typeof generateLineSchema>;
