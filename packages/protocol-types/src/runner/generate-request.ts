import type { z } from 'zod';
import { flag, integer, list, object, text } from '../common/fields.js';
import { generationFields } from './generation-fields.js';

export const generateRequestSchema = object({
  ...generationFields,
  prompt: text.nullish().describe('Empty: the model is only loaded, or unloaded with keep_alive 0.'),
  suffix: text.nullish().describe('The text after the gap, for models that fill in the middle.'),
  system: text.nullish().describe("Replaces the model's own system message."),
  template: text.nullish().describe("Replaces the model's own prompt template."),
  context: list(integer).nullish().describe('Deprecated: the `context` of an earlier answer, to go on from.'),
  raw: flag.nullish().describe('The prompt goes to the model as it is, without a template.'),
  images: list(text).nullish().describe('Base64, without a data: prefix.'),
}).meta({ id: 'RunnerGenerateRequest', description: 'POST /api/generate: one prompt, one answer.' });

export type GenerateRequest = z.infer<typeof generateRequestSchema>;
