import { putSecretRequestSchema } from '@hearth/protocol-types/vault/put-secret-request';
import { secretSchema, secretValueSchema, writtenSecretSchema } from '@hearth/protocol-types/vault/secret';
import {
  listSecretsQuerySchema,
  readSecretQuerySchema,
  secretPlaceQuerySchema,
} from '@hearth/protocol-types/vault/secret-query';
import { updateSecretRequestSchema } from '@hearth/protocol-types/vault/update-secret-request';
import { z } from 'zod';
import { requireScopes } from '../access/require-scopes.js';
import { defineOperation, type Operation, scopes } from '../http/operations/operation.js';
import { cutPage, type Paging } from '../http/operations/paging.js';
import { isNotModified, readPrecondition } from '../http/operations/preconditions.js';
import { secretParams, vaultParams } from '../http/operations/shared-params.js';
import { decodeValue, encodeValue } from './plain-value.js';
import type { SecretDetails, SecretPosition } from './secret.js';
import { toMessage, toMetadata, toWritten, versionTag } from './secret-messages.js';
import type { SecretService } from './secret-service.js';
import type { VersionService } from './version-service.js';

const tag = 'Secrets';
const list = '/api/secrets/vaults/{vault_id}/secrets';
const one = `${list}/{key}`;
const writeHeaders = {
  'If-Match': 'Only if this is still the current version, by its ETag; *: only if the secret exists',
  'If-None-Match': '*: only if the secret does not exist yet',
};

export interface SecretRouteParts {
  readonly secrets: SecretService;
  readonly versions: VersionService;
  readonly paging: Paging;
}

export function secretRoutes({ secrets, versions, paging }: SecretRouteParts): Operation[] {
  return [
    defineOperation({
      id: 'listSecrets',
      method: 'get',
      path: list,
      tag,
      summary: 'List secrets',
      description:
        'Names and details; with include=values also the values, which needs secrets:read and is audited as one event. The ETag is the revision of the vault: poll with If-None-Match and get 304 while nothing has changed.',
      access: scopes('secrets:list'),
      params: vaultParams,
      query: listSecretsQuerySchema,
      headers: { 'If-None-Match': 'The ETag of an earlier answer' },
      replies: {
        200: {
          description: 'By environment, folder and key',
          schema: z.array(secretSchema),
          headers: { ETag: 'The revision of the vault', Link: 'The next page, where there is one' },
        },
        304: { description: 'Nothing in the vault has changed since' },
      },
      async handle({ caller, params, query, request }) {
        const withValues = query.include === 'values';
        if (withValues) requireScopes(caller, ['secrets:read']);
        // Read before the rows: a change in between makes the next poll see more, never less.
        const etag = `W/"r${await secrets.revision(caller, params.vault_id)}"`;
        if (isNotModified(request, etag)) return { status: 304, headers: { etag } };
        const purpose = `secrets:${params.vault_id}:${query.trash}`;
        const rows = await secrets.list(caller, params.vault_id, {
          environment: query.env,
          below: query.path,
          search: query.q,
          tag: query.tag,
          trash: query.trash,
          withValues,
          after: paging.read(purpose, query.cursor) as SecretPosition | undefined,
          limit: query.limit + 1,
        });
        const { page, last } = cutPage(rows, query.limit);
        const next = last && positionOf(last.secret);
        return {
          status: 200,
          json: page.map(({ secret, value }) => toMessage(secret, value)),
          holdsNoSecret: !withValues,
          headers: { etag, ...paging.link(request, purpose, next) },
        };
      },
    }),
    defineOperation({
      id: 'getSecret',
      method: 'get',
      path: one,
      tag,
      summary: 'Read a secret with its value',
      access: scopes('secrets:read'),
      params: secretParams,
      query: readSecretQuerySchema,
      replies: {
        200: {
          description: 'The secret',
          schema: secretValueSchema,
          headers: { ETag: 'The version, for If-Match' },
        },
      },
      async handle({ caller, params, query }) {
        const named = namedPlace(params, query);
        if (query.version !== undefined) {
          requireScopes(caller, ['versions:read']);
          const { secret, sealed, value } = await versions.read(caller, named, query.version);
          return {
            status: 200,
            json: {
              ...toMetadata(secret),
              version: sealed.version,
              ...{ value: encodeValue(value), encoding: value.encoding },
              version_created_at: sealed.createdAt.toISOString(),
            },
            headers: { etag: versionTag(sealed.version) },
          };
        }
        const { secret, value, writtenAt } = await secrets.read(caller, named);
        return {
          status: 200,
          json: {
            ...toMetadata(secret),
            value: encodeValue(value),
            encoding: value.encoding,
            version_created_at: writtenAt.toISOString(),
          },
          headers: { etag: versionTag(secret.version) },
        };
      },
    }),
    defineOperation({
      id: 'putSecret',
      method: 'put',
      path: one,
      tag,
      summary: 'Write a secret',
      description:
        'Makes the secret or gives it a new version. The value that is already there makes no version: changed is false.',
      access: scopes('secrets:write'),
      params: secretParams,
      query: secretPlaceQuerySchema,
      body: putSecretRequestSchema,
      headers: writeHeaders,
      replies: {
        200: { description: 'It was there', schema: writtenSecretSchema },
        201: { description: 'It is new', schema: writtenSecretSchema },
      },
      async handle({ caller, params, query, body, request }) {
        const result = await secrets.put(
          caller,
          namedPlace(params, query),
          decodeValue(body.value, body.encoding),
          toDetails(body),
          readPrecondition(request),
        );
        return {
          status: result.created ? 201 : 200,
          json: toWritten(result),
          headers: { etag: versionTag(result.secret.version) },
        };
      },
    }),
    defineOperation({
      id: 'updateSecret',
      method: 'patch',
      path: one,
      tag,
      summary: 'Rename or move a secret, or change its note, tags or expiry',
      description:
        'It keeps its versions and its history. 409 key_taken where there is a secret of that name already. For many: the move of a vault. Another environment needs secrets:delete, too.',
      access: scopes('secrets:write'),
      params: secretParams,
      query: secretPlaceQuerySchema,
      body: updateSecretRequestSchema,
      headers: writeHeaders,
      replies: { 200: { description: 'The secret', schema: secretSchema } },
      async handle({ caller, params, query, body, request }) {
        const change = { ...toDetails(body), key: body.key, environment: body.env, path: body.path };
        const named = namedPlace(params, query);
        const secret = await secrets.update(caller, named, change, readPrecondition(request));
        return { status: 200, json: toMessage(secret), headers: { etag: versionTag(secret.version) } };
      },
    }),
  ];
}

export function namedPlace(params: { vault_id: string; key: string }, query: { env: string; path: string }) {
  return { vaultId: params.vault_id, key: params.key, environment: query.env, path: query.path };
}

interface DetailFields {
  readonly note?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly expires_at?: string | null | undefined;
}

function toDetails({ note, tags, expires_at: expiresAt }: DetailFields): SecretDetails {
  return {
    ...(note === undefined ? {} : { note }),
    ...(tags === undefined ? {} : { tags }),
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
  };
}

function positionOf(secret: {
  environmentPosition: number;
  environment: string;
  path: string;
  key: string;
  id: string;
}): SecretPosition {
  return [secret.environmentPosition, secret.environment, secret.path, secret.key, secret.id];
}
