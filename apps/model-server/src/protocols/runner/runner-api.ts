import { chatRequestSchema } from '@hearth/protocol-types/runner/chat-request';
import { chatLineSchema, chatResponseSchema } from '@hearth/protocol-types/runner/chat-response';
import { debugRenderResponseSchema } from '@hearth/protocol-types/runner/debug-render-response';
import { embedRequestSchema } from '@hearth/protocol-types/runner/embed-request';
import { embedResponseSchema } from '@hearth/protocol-types/runner/embed-response';
import { embeddingsRequestSchema } from '@hearth/protocol-types/runner/embeddings-request';
import { embeddingsResponseSchema } from '@hearth/protocol-types/runner/embeddings-response';
import { errorSchema } from '@hearth/protocol-types/runner/error';
import { generateRequestSchema } from '@hearth/protocol-types/runner/generate-request';
import { generateLineSchema, generateResponseSchema } from '@hearth/protocol-types/runner/generate-response';
import { psResponseSchema } from '@hearth/protocol-types/runner/ps-response';
import { showRequestSchema } from '@hearth/protocol-types/runner/show-request';
import { showResponseSchema } from '@hearth/protocol-types/runner/show-response';
import { tagsResponseSchema } from '@hearth/protocol-types/runner/tags-response';
import { versionResponseSchema } from '@hearth/protocol-types/runner/version-response';
import { z } from 'zod';
import type { ApiFamily, Operation, Reply } from '../../http/openapi/operation.js';
import { libraryOperations } from './library-api.js';

function json(description: string, schema: z.ZodType): readonly Reply[] {
  return [{ description, content: { 'application/json': schema } }];
}

function streamed(whole: z.ZodType, line: z.ZodType): readonly Reply[] {
  return [
    {
      description:
        'One object a line, or a server-sent event each if Accept says so; whole with stream false; the prompt alone with _debug_render_only.',
      content: {
        'application/x-ndjson': line,
        'text/event-stream': line,
        'application/json': z.union([whole, debugRenderResponseSchema]),
      },
    },
  ];
}

const operations: readonly Operation[] = [
  {
    id: 'generate',
    method: 'post',
    path: '/api/generate',
    summary: 'One prompt, one answer; without a prompt the model is only loaded or unloaded.',
    body: generateRequestSchema,
    replies: streamed(generateResponseSchema, generateLineSchema),
  },
  {
    id: 'chat',
    method: 'post',
    path: '/api/chat',
    summary: 'The next message of a conversation; without messages the model is only loaded or unloaded.',
    body: chatRequestSchema,
    replies: streamed(chatResponseSchema, chatLineSchema),
  },
  {
    id: 'embed',
    method: 'post',
    path: '/api/embed',
    summary: 'Vectors for one or more texts.',
    body: embedRequestSchema,
    replies: json('One vector of length 1 for each text.', embedResponseSchema),
  },
  {
    id: 'embeddings',
    method: 'post',
    path: '/api/embeddings',
    summary: 'The vector of one text, as the model gives it: the older form.',
    body: embeddingsRequestSchema,
    replies: json('The vector.', embeddingsResponseSchema),
  },
  {
    id: 'listModels',
    method: 'get',
    path: '/api/tags',
    summary: 'The models that can be served.',
    replies: json('The newest first.', tagsResponseSchema),
  },
  {
    id: 'listLoadedModels',
    method: 'get',
    path: '/api/ps',
    summary: 'The models in memory.',
    replies: json('The one with the longest to stay first.', psResponseSchema),
  },
  {
    id: 'showModel',
    method: 'post',
    path: '/api/show',
    summary: 'All about one model.',
    body: showRequestSchema,
    replies: json('What its maker and its file say of it.', showResponseSchema),
  },
  {
    id: 'version',
    method: 'get',
    path: '/api/version',
    summary: 'Which version of this API is served.',
    replies: json('The version.', versionResponseSchema),
  },
];

export const runnerApi: ApiFamily = {
  title: 'Hearth: local-runner API',
  description: 'What clients of a local model runner expect. Base address: the server itself.',
  documentPath: '/api/openapi.json',
  error: errorSchema,
  operations: [...operations, ...libraryOperations],
};
