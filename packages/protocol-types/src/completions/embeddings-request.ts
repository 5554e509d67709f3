import type { z } from 'zod';
import { either, ignored, integerFrom, list, object, oneOf, text } from '../common/fields.js';
import { keepAliveSchema } from '../common/keep-alive.js';

const tokens = list(integerFrom(0));

export const embeddingsRequestSchema = object({
  model: text,
  input: either('a string, a list of strings, a list of tokens or a list of token lists', [
    text,
    list(text),
    tokens,
    list(tokens),
  ]),
  encoding_format: oneOf(['float', 'base64']).nullish().describe('base64 is little-endian float32.'),
  dimensions: integerFrom(1).nullish(),
  keep_alive: keepAliveSchema.nullish(),
  user: ignored,
}).meta({ id: 'EmbeddingsRequest', description: 'POST /v1/embeddings: vectors for one or more texts.' });

export type EmbeddingsRequest = z.infer<typeof embeddingsRequestSchema>;
