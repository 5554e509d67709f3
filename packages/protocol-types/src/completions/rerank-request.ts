import type { z } from 'zod';
import { either, flag, integerFrom, list, object, text } from '../common/fields.js';
import { keepAliveSchema } from '../common/keep-alive.js';

export const rerankRequestSchema = object({
  model: text,
  query: text,
  documents: list(either('a string or an object with a text', [text, object({ text })])).nullish(),
  texts: list(text).nullish().describe('Another spelling of `documents`.'),
  top_n: integerFrom(1).nullish().describe('How many of the best to return; all when absent.'),
  return_documents: flag.nullish(),
  return_text: flag.nullish().describe('Another spelling of `return_documents`.'),
  keep_alive: keepAliveSchema.nullish(),
}).meta({
  id: 'RerankRequest',
  description: 'POST /v1/rerank: documents ordered by how well they answer a query.',
});

export type RerankRequest = z.infer<typeof rerankRequestSchema>;
