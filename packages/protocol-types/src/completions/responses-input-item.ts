import { z } from 'zod';
import { either, list, object, oneOf, text } from '../common/fields.js';
import { unsupportedExcept } from './responses-unsupported.js';

const inputText = object({ type: z.literal('input_text'), text });
const inputImage = object({
  type: z.literal('input_image'),
  image_url: text.nullish(),
  file_id: text.nullish(),
  detail: text.nullish(),
});
const inputFile = object({
  type: z.literal('input_file'),
  file_data: text.nullish(),
  file_id: text.nullish(),
  file_url: text.nullish(),
  filename: text.nullish(),
});
const inputAudio = object({
  type: z.literal('input_audio'),
  input_audio: object({ data: text, format: text }),
});
const outputText = object({ type: z.literal('output_text'), text });
const refusal = object({ type: z.literal('refusal'), refusal: text });

const contentPart = z
  .discriminatedUnion('type', [inputText, inputImage, inputFile, inputAudio, outputText, refusal], {
    error: 'must be one of input_text, input_image, input_file, input_audio, output_text, refusal',
  })
  .meta({ id: 'ResponsesContentPart', description: 'A piece of a message.' });

const content = either('a string or a list of content parts', [text, list(contentPart)]);

const message = object({
  type: oneOf(['message']).nullish().describe('May be left out.'),
  role: oneOf(['user', 'assistant', 'system', 'developer']),
  content,
});
const functionCall = object({
  type: z.literal('function_call'),
  id: text.nullish(),
  call_id: text,
  name: text,
  arguments: text.describe('A JSON string.'),
});
const functionCallOutput = object({
  type: z.literal('function_call_output'),
  id: text.nullish(),
  call_id: text,
  output: content,
});
const reasoning = object({
  type: z.literal('reasoning'),
  id: text.nullish(),
  summary: list(object({ type: oneOf(['summary_text']), text })).nullish(),
  content: list(object({ type: oneOf(['reasoning_text']), text })).nullish(),
  encrypted_content: text.nullish(),
});
const itemReference = object({ type: z.literal('item_reference'), id: text });

const knownTypes = ['message', 'function_call', 'function_call_output', 'reasoning', 'item_reference'];

export const inputItemSchema = either('an input item', [
  z.discriminatedUnion('type', [message, functionCall, functionCallOutput, reasoning, itemReference]),
  unsupportedExcept(knownTypes),
]).meta({
  id: 'ResponsesInputItem',
  description: 'A message, a tool call, its result or a thought of earlier turns.',
});

export type InputItem = z.infer<typeof inputItemSchema>;
export type InputContent = z.infer<typeof content>;
