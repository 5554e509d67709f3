import { chatChunkSchema } from '@hearth/protocol-types/completions/chat-chunk';
import { chatRequestSchema } from '@hearth/protocol-types/completions/chat-request';
import { chatResponseSchema } from '@hearth/protocol-types/completions/chat-response';
import { completionRequestSchema } from '@hearth/protocol-types/completions/completion-request';
import {
  completionChunkSchema,
  completionResponseSchema,
} from '@hearth/protocol-types/completions/completion-response';
import { embeddingsRequestSchema } from '@hearth/protocol-types/completions/embeddings-request';
import { embeddingsResponseSchema } from '@hearth/protocol-types/completions/embeddings-response';
import { errorSchema } from '@hearth/protocol-types/completions/error';
import { modelDeletedSchema, modelListSchema, modelSchema } from '@hearth/protocol-types/completions/model';
import { rerankRequestSchema } from '@hearth/protocol-types/completions/rerank-request';
import { rerankResponseSchema } from '@hearth/protocol-types/completions/rerank-response';
import { responsesEventSchema } from '@hearth/protocol-types/completions/responses-event';
import { responsesRequestSchema } from '@hearth/protocol-types/completions/responses-request';
import {
  inputTokensSchema,
  responsesResponseSchema,
} from '@hearth/protocol-types/completions/responses-response';
import type { z } from 'zod';
import type { ApiFamily, Operation, Reply } from '../../http/openapi/operation.js';
import { rerankAliases } from './completions-dialect.js';

function json(description: string, schema: z.ZodType): readonly Reply[] {
  return [{ description, content: { 'application/json': schema } }];
}

function streamed(whole: z.ZodType, chunk: z.ZodType): readonly Reply[] {
  const description = 'The whole answer, or its chunks as server-sent events with stream true.';
  return [{ description, content: { 'application/json': whole, 'text/event-stream': chunk } }];
}

const operations: readonly Operation[] = [
  {
    id: 'createChatCompletion',
    method: 'post',
    path: '/v1/chat/completions',
    summary: 'The next message of a conversation.',
    body: chatRequestSchema,
    replies: streamed(chatResponseSchema, chatChunkSchema),
  },
  {
    id: 'createCompletion',
    method: 'post',
    path: '/v1/completions',
    summary: 'Goes on with a text.',
    body: completionRequestSchema,
    replies: streamed(completionResponseSchema, completionChunkSchema),
  },
  {
    id: 'createResponse',
    method: 'post',
    path: '/v1/responses',
    summary: 'The next items of a conversation; nothing is kept.',
    body: responsesRequestSchema,
    replies: streamed(responsesResponseSchema, responsesEventSchema),
  },
  {
    id: 'countInputTokens',
    method: 'post',
    path: '/v1/responses/input_tokens',
    summary: 'How long the input of a response would be.',
    body: responsesRequestSchema,
    replies: json('The count.', inputTokensSchema),
  },
  {
    id: 'createEmbeddings',
    method: 'post',
    path: '/v1/embeddings',
    summary: 'Vectors for one or more texts.',
    body: embeddingsRequestSchema,
    replies: json('One vector for each text.', embeddingsResponseSchema),
  },
  ...['/v1/rerank', ...rerankAliases].map(
    (path): Operation => ({
      id: `rerank${path.replaceAll('/', '_')}`,
      method: 'post',
      path,
      summary: 'How well each document answers a query.',
      body: rerankRequestSchema,
      replies: json('The best first.', rerankResponseSchema),
    }),
  ),
  {
    id: 'listModels',
    method: 'get',
    path: '/v1/models',
    summary: 'The models that can be served.',
    replies: json('The newest first.', modelListSchema),
  },
  {
    id: 'getModel',
    method: 'get',
    path: '/v1/models/{name}',
    summary: 'One model.',
    replies: json('The model.', modelSchema),
  },
  {
    id: 'deleteModel',
    method: 'delete',
    path: '/v1/models/{name}',
    summary: 'Removes a model and the files that no other model shares.',
    replies: json('It is gone.', modelDeletedSchema),
  },
];

export const completionsApi: ApiFamily = {
  title: 'Hearth: chat-completions API',
  description: 'What clients of the hosted chat-completions API expect. Base address: the server and /v1.',
  documentPath: '/v1/openapi.json',
  error: errorSchema,
  operations,
};
