import { pagingQuerySchema } from '@hearth/protocol-types/vault/paging-query';
import { rollbackRequestSchema } from '@hearth/protocol-types/vault/rollback-request';
import { writtenSecretSchema } from '@hearth/protocol-types/vault/secret';
import { secretPlaceQuerySchema } from '@hearth/protocol-types/vault/secret-query';
import { secretVersionSchema } from '@hearth/protocol-types/vault/secret-version';
import { z } from 'zod';
import { defineOperation, type Operation, scopes } from '../http/operations/operation.js';
import { cutPage, type Paging } from '../http/operations/paging.js';
import { readPrecondition } from '../http/operations/preconditions.js';
import { secretParams, versionParams } from '../http/operations/shared-params.js';
import { toVersion, toWritten, versionTag } from './secret-messages.js';
import { namedPlace } from './secret-routes.js';
import type { VersionService } from './version-service.js';

const tag = 'Versions';
const secret = '/api/secrets/vaults/{vault_id}/secrets/{key}';

export function versionRoutes({
  versions,
  paging,
}: {
  versions: VersionService;
  paging: Paging;
}): Operation[] {
  return [
    defineOperation({
      id: 'listVersions',
      method: 'get',
      path: `${secret}/versions`,
      tag,
      summary: 'List the versions of a secret',
      access: scopes('versions:read'),
      params: secretParams,
      query: secretPlaceQuerySchema.extend(pagingQuerySchema.shape),
      replies: { 200: { description: 'Newest first, without values', schema: z.array(secretVersionSchema) } },
      async handle({ caller, params, query, request }) {
        const purpose = `versions:${params.vault_id}:${params.key}`;
        const [before] = paging.read(purpose, query.cursor) ?? [];
        const found = await versions.list(
          caller,
          namedPlace(params, query),
          before === undefined ? undefined : Number(before),
          query.limit + 1,
        );
        const { page, last } = cutPage(found.versions, query.limit);
        return {
          status: 200,
          json: page.map((version) => toVersion(version, found.secret.version)),
          headers: paging.link(request, purpose, last && [last.version]),
        };
      },
    }),
    defineOperation({
      id: 'getVersion',
      method: 'get',
      path: `${secret}/versions/{version}`,
      tag,
      summary: 'Read one version with its value',
      access: scopes('versions:read', 'secrets:read'),
      params: versionParams,
      query: secretPlaceQuerySchema,
      replies: { 200: { description: 'The version', schema: secretVersionSchema } },
      async handle({ caller, params, query }) {
        const found = await versions.read(caller, namedPlace(params, query), params.version);
        return { status: 200, json: toVersion(found.sealed, found.secret.version, found.value) };
      },
    }),
    defineOperation({
      id: 'rollbackSecret',
      method: 'post',
      path: `${secret}/rollback`,
      tag,
      summary: 'Make an old version the newest',
      description: 'It becomes a new version. Nobody needs the right to read values for it.',
      access: scopes('secrets:rollback'),
      params: secretParams,
      query: secretPlaceQuerySchema,
      body: rollbackRequestSchema,
      headers: { 'If-Match': 'Only if this is still the current version' },
      idempotencyKey: true,
      replies: { 200: { description: 'The secret', schema: writtenSecretSchema } },
      async handle({ caller, params, query, body, request }) {
        const named = namedPlace(params, query);
        const result = await versions.rollback(caller, named, body.version, readPrecondition(request));
        return { status: 200, json: toWritten(result), headers: { etag: versionTag(result.secret.version) } };
      },
    }),
    defineOperation({
      id: 'destroyVersion',
      method: 'delete',
      path: `${secret}/versions/{version}`,
      tag,
      summary: 'Destroy an old version for good',
      access: { kind: 'session', fresh: true },
      params: versionParams,
      query: secretPlaceQuerySchema,
      replies: { 204: { description: 'Its value is gone' } },
      async handle({ caller, params, query }) {
        await versions.destroy(caller, namedPlace(params, query), params.version);
        return { status: 204 };
      },
    }),
  ];
}
