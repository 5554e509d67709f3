import { z } from 'zod';
import { either, flag, jsonObject, list, object, text } from '../common/fields.js';

const textBlock = object({ type: z.literal('text'), text });

/** Images are read here, so that a model without eyes is told apart from a wrong request. */
const imageBlock = object({
  type: z.literal('image'),
  source: z.discriminatedUnion(
    'type',
    [
      object({ type: z.literal('base64'), media_type: text, data: text }),
      object({ type: z.literal('url'), url: text }),
      object({ type: z.literal('file'), file_id: text }),
    ],
    { error: 'must be one of base64, url, file' },
  ),
});

const documentBlock = object({
  type: z.literal('document'),
  source: z.discriminatedUnion(
    'type',
    [
      object({ type: z.literal('text'), media_type: text.nullish(), data: text }),
      object({ type: z.literal('base64'), media_type: text, data: text }),
      object({ type: z.literal('url'), url: text }),
      object({
        type: z.literal('content'),
        content: either('a string or a list of blocks', [
          text,
          list(
            z.discriminatedUnion('type', [textBlock, imageBlock], { error: 'must be one of text, image' }),
          ),
        ]),
      }),
      object({ type: z.literal('file'), file_id: text }),
    ],
    { error: 'must be one of text, base64, url, content, file' },
  ),
  title: text.nullish(),
  context: text.nullish(),
});

const searchResultBlock = object({
  type: z.literal('search_result'),
  source: text,
  title: text,
  content: list(textBlock),
});

const toolResultBlock = object({
  type: z.literal('tool_result'),
  tool_use_id: text,
  content: either('a string or a list of blocks', [
    text,
    list(
      z.discriminatedUnion('type', [textBlock, imageBlock, documentBlock, searchResultBlock], {
        error: 'must be one of text, image, document, search_result',
      }),
    ),
  ]).nullish(),
  is_error: flag.nullish(),
});

export const contentBlockSchema = z
  .discriminatedUnion(
    'type',
    [
      textBlock,
      imageBlock,
      documentBlock,
      searchResultBlock,
      object({ type: z.literal('thinking'), thinking: text, signature: text.nullish() }),
      object({ type: z.literal('redacted_thinking'), data: text }),
      object({ type: z.literal('tool_use'), id: text, name: text, input: jsonObject }),
      toolResultBlock,
    ],
    {
      error:
        'must be one of text, image, document, search_result, thinking, redacted_thinking, tool_use, tool_result',
    },
  )
  .meta({ id: 'MessagesContentBlock', description: 'A piece of a message that is sent to the model.' });

export const contentSchema = either('a string or a list of content blocks', [text, list(contentBlockSchema)]);

export const systemSchema = either('a string or a list of text blocks', [
  text,
  list(z.discriminatedUnion('type', [textBlock], { error: 'must be "text"' })),
]);

export type ContentBlock = z.infer<typeof contentBlockSchema>;
export type ToolResultBlock = z.infer<typeof toolResultBlock>;
export type Content = z.infer<typeof contentSchema>;
export type System = z.infer<typeof systemSchema>;
