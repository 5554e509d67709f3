import { z } from 'zod';
import { either, list, object, oneOf, text } from '../common/fields.js';

const textPart = object({ type: z.literal('text'), text });
const refusalPart = object({ type: z.literal('refusal'), refusal: text });
const imagePart = object({
  type: z.literal('image_url'),
  image_url: object({ url: text.describe('A data: or https: address.'), detail: text.nullish() }),
});
const audioPart = object({
  type: z.literal('input_audio'),
  input_audio: object({ data: text.describe('Base64.'), format: text }),
});
const filePart = object({
  type: z.literal('file'),
  file: object({ file_data: text.nullish(), file_id: text.nullish(), filename: text.nullish() }),
});

const what = 'a string or a list of content parts';

/** Images, audio and files are read here, so that a model without eyes or ears is told apart from a wrong request. */
export const userContentSchema = either(what, [
  text,
  list(
    z.discriminatedUnion('type', [textPart, imagePart, audioPart, filePart], {
      error: 'must be one of text, image_url, input_audio, file',
    }),
  ),
]);

export const textContentSchema = either(what, [text, list(object({ type: oneOf(['text']), text }))]);

export const assistantContentSchema = either(what, [
  text,
  list(z.discriminatedUnion('type', [textPart, refusalPart], { error: 'must be one of text, refusal' })),
]);

export type UserContent = z.infer<typeof userContentSchema>;
export type TextContent = z.infer<typeof textContentSchema>;
export type AssistantContent = z.infer<typeof assistantContentSchema>;
