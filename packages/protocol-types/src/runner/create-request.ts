import type { z } from 'zod';
import { either, flag, jsonObject, list, mapOf, object, text } from '../common/fields.js';
import { messageSchema } from './message.js';
import { namedModelFields } from './named-model.js';

const digestByPath = mapOf(text, 'an object of file paths and digests');

export const createRequestSchema = object({
  ...namedModelFields,
  from: text.nullish().describe('The model to build on.'),
  files: digestByPath.nullish().describe('Files of the new model: path to digest of an uploaded blob.'),
  adapters: digestByPath.nullish(),
  draft_files: digestByPath.nullish(),
  template: text.nullish(),
  system: text.nullish(),
  license: either('a string or a list of strings', [text, list(text)]).nullish(),
  parameters: jsonObject.nullish().describe('Default options of the new model.'),
  messages: list(messageSchema).nullish(),
  quantize: text.nullish(),
  draft_quantize: text.nullish(),
  renderer: text.nullish(),
  parser: text.nullish(),
  requires: text.nullish(),
  info: jsonObject.nullish(),
  stream: flag.nullish().describe('Streams progress unless false.'),
}).meta({
  id: 'RunnerCreateRequest',
  description: 'POST /api/create: a new model from another one or from files.',
});

export type CreateRequest = z.infer<typeof createRequestSchema>;
