import { copyRequestSchema } from '@hearth/protocol-types/runner/copy-request';
import { createRequestSchema } from '@hearth/protocol-types/runner/create-request';
import { deleteRequestSchema } from '@hearth/protocol-types/runner/delete-request';
import { progressResponseSchema } from '@hearth/protocol-types/runner/progress-response';
import { pullRequestSchema } from '@hearth/protocol-types/runner/pull-request';
import { pushRequestSchema } from '@hearth/protocol-types/runner/push-request';
import { z } from 'zod';
import type { Operation, Reply } from '../../http/openapi/operation.js';

const progress: readonly Reply[] = [
  {
    description: 'Progress, one object a line; only the last one with stream false.',
    content: { 'application/x-ndjson': progressResponseSchema, 'application/json': progressResponseSchema },
  },
];

/** What changes the models of this server. */
export const libraryOperations: readonly Operation[] = [
  {
    id: 'pullModel',
    method: 'post',
    path: '/api/pull',
    summary: 'Downloads a model.',
    body: pullRequestSchema,
    replies: progress,
  },
  {
    id: 'pushModel',
    method: 'post',
    path: '/api/push',
    summary: 'Uploads a model.',
    body: pushRequestSchema,
    replies: progress,
  },
  {
    id: 'createModel',
    method: 'post',
    path: '/api/create',
    summary: 'A new model from another one or from uploaded files.',
    body: createRequestSchema,
    replies: progress,
  },
  {
    id: 'copyModel',
    method: 'post',
    path: '/api/copy',
    summary: 'A second name for a model.',
    body: copyRequestSchema,
    replies: [{ description: 'Done; no body.' }],
  },
  {
    id: 'deleteModel',
    method: 'delete',
    path: '/api/delete',
    summary: 'Removes a model and the files that no other model shares.',
    body: deleteRequestSchema,
    replies: [{ description: 'Done; no body.' }],
  },
  {
    id: 'hasBlob',
    method: 'head',
    path: '/api/blobs/{digest}',
    summary: 'Whether a file is there.',
    replies: [{ description: 'It is.' }, { status: 404, description: 'It is not.' }],
  },
  {
    id: 'uploadBlob',
    method: 'post',
    path: '/api/blobs/{digest}',
    summary: 'Uploads a file, to create a model from.',
    body: z.unknown(),
    bodyType: 'application/octet-stream',
    replies: [{ description: 'It was there already.' }, { status: 201, description: 'It is there now.' }],
  },
];
