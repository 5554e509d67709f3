import { countTokensRequestSchema } from '@hearth/protocol-types/messages/count-tokens-request';
import { countTokensResponseSchema } from '@hearth/protocol-types/messages/count-tokens-response';
import { errorSchema } from '@hearth/protocol-types/messages/error';
import { messageRequestSchema } from '@hearth/protocol-types/messages/message-request';
import { messageResponseSchema } from '@hearth/protocol-types/messages/message-response';
import { modelListSchema, modelSchema } from '@hearth/protocol-types/messages/model';
import { streamEventSchema } from '@hearth/protocol-types/messages/stream-event';
import { z } from 'zod';
import type { ApiFamily, Operation } from '../../http/openapi/operation.js';

/** The paths that agents expect below `/v1` do just the same. */
function withAlias(operation: Operation): readonly Operation[] {
  const path = operation.path.replace('/alt/v1/', '/v1/');
  return [operation, { ...operation, id: `${operation.id}Alias`, path }];
}

const pageQuery = z.object({
  limit: z.int().min(1).max(1000).optional(),
  after_id: z.string().optional(),
  before_id: z.string().optional(),
});

const operations: readonly Operation[] = [
  ...withAlias({
    id: 'createMessage',
    method: 'post',
    path: '/alt/v1/messages',
    summary: 'The next message of a conversation.',
    body: messageRequestSchema,
    replies: [
      {
        description: 'The message, or its events with stream true.',
        content: { 'application/json': messageResponseSchema, 'text/event-stream': streamEventSchema },
      },
    ],
  }),
  ...withAlias({
    id: 'countTokens',
    method: 'post',
    path: '/alt/v1/messages/count_tokens',
    summary: 'How long a prompt would be.',
    body: countTokensRequestSchema,
    replies: [{ description: 'The count.', content: { 'application/json': countTokensResponseSchema } }],
  }),
  {
    id: 'listModels',
    method: 'get',
    path: '/alt/v1/models',
    summary: 'The models that can be served, in pages.',
    query: pageQuery,
    replies: [{ description: 'One page.', content: { 'application/json': modelListSchema } }],
  },
  {
    id: 'getModel',
    method: 'get',
    path: '/alt/v1/models/{id}',
    summary: 'One model.',
    replies: [{ description: 'The model.', content: { 'application/json': modelSchema } }],
  },
];

export const messagesApi: ApiFamily = {
  title: 'Hearth: messages API',
  description: 'What clients of the hosted messages API expect. Base address: the server and /alt.',
  documentPath: '/alt/v1/openapi.json',
  error: errorSchema,
  operations,
};
