import { pagingQuerySchema } from '@hearth/protocol-types/vault/paging-query';
import { createdTokenSchema, tokenSchema } from '@hearth/protocol-types/vault/token';
import {
  createTokenRequestSchema,
  rotateTokenRequestSchema,
  updateTokenRequestSchema,
} from '@hearth/protocol-types/vault/token-request';
import { z } from 'zod';
import { requireWholeAccount } from '../access/require-unlimited.js';
import { defineOperation, type Operation, scopes } from '../http/operations/operation.js';
import { cutPage, type Paging } from '../http/operations/paging.js';
import { tokenParams } from '../http/operations/shared-params.js';
import { toMessage } from './token-messages.js';
import type { IssuedToken, TokenService } from './token-service.js';

const tag = 'Tokens';
const unlimitedOnly = 'Not for a token that is limited to vaults or environments.';
const list = '/api/secrets/tokens';
const one = `${list}/{token_id}`;

export interface TokenRouteParts {
  readonly tokens: TokenService;
  readonly paging: Paging;
  readonly now: () => Date;
}

/** Tokens are made, rotated and narrowed in the console only: a stolen token must not be able to outlive itself. */
export function tokenRoutes({ tokens, paging, now }: TokenRouteParts): Operation[] {
  const issued = ({ token, value }: IssuedToken) => ({
    status: 201,
    json: { ...toMessage(token, now()), token: value },
    headers: { location: `/api/secrets/tokens/${token.id}` },
    onceOnly: { token_id: token.id },
  });

  return [
    defineOperation({
      id: 'listTokens',
      method: 'get',
      path: list,
      tag,
      summary: 'List tokens',
      description: unlimitedOnly,
      access: scopes('tokens:read'),
      query: pagingQuerySchema,
      replies: { 200: { description: 'Newest first, without their values', schema: z.array(tokenSchema) } },
      async handle({ caller, query, request }) {
        requireWholeAccount(caller, 'see other tokens');
        const [createdAt, id] = paging.read('tokens', query.cursor) ?? [];
        const after =
          createdAt === undefined ? undefined : { createdAt: new Date(String(createdAt)), id: String(id) };
        const { page, last } = cutPage(await tokens.list(caller, after, query.limit + 1), query.limit);
        const next = last && [last.createdAt.toISOString(), last.id];
        return {
          status: 200,
          json: page.map((token) => toMessage(token, now())),
          headers: paging.link(request, 'tokens', next),
        };
      },
    }),
    defineOperation({
      id: 'createToken',
      method: 'post',
      path: list,
      tag,
      summary: 'Make a token',
      description:
        'The answer holds its value, this once. A repeated request with the same Idempotency-Key is told the id only.',
      access: { kind: 'session', fresh: true },
      body: createTokenRequestSchema,
      idempotencyKey: true,
      replies: { 201: { description: 'The token with its value', schema: createdTokenSchema } },
      async handle({ caller, body }) {
        return issued(
          await tokens.create(caller, {
            name: body.name,
            scopes: body.scopes,
            expiresInDays: body.expires_in_days,
            vaultIds: body.vault_ids,
            environments: body.environments,
            ipAllow: body.ip_allow,
          }),
        );
      },
    }),
    defineOperation({
      id: 'revokeAllTokens',
      method: 'post',
      path: `${list}/revoke-all`,
      tag,
      summary: 'Revoke every token of the account',
      access: { kind: 'session', fresh: false },
      replies: { 200: { description: 'How many were live', schema: z.strictObject({ revoked: z.int() }) } },
      async handle({ caller }) {
        return { status: 200, json: { revoked: await tokens.revokeAll(caller) } };
      },
    }),
    defineOperation({
      id: 'getToken',
      method: 'get',
      path: one,
      tag,
      summary: 'Get a token',
      description: `${unlimitedOnly} Any token can ask what itself is.`,
      access: scopes('tokens:read'),
      params: tokenParams,
      replies: { 200: { description: 'The token, without its value', schema: tokenSchema } },
      async handle({ caller, params }) {
        requireWholeAccount(caller, 'see other tokens');
        return { status: 200, json: toMessage(await tokens.find(caller, params.token_id), now()) };
      },
    }),
    defineOperation({
      id: 'updateToken',
      method: 'patch',
      path: one,
      tag,
      summary: 'Rename or narrow a token',
      access: { kind: 'session', fresh: false },
      params: tokenParams,
      body: updateTokenRequestSchema,
      replies: { 200: { description: 'The token', schema: tokenSchema } },
      async handle({ caller, params, body }) {
        const token = await tokens.update(caller, params.token_id, {
          name: body.name,
          scopes: body.scopes,
          vaultIds: body.vault_ids,
          environments: body.environments,
          ipAllow: body.ip_allow,
        });
        return { status: 200, json: toMessage(token, now()) };
      },
    }),
    defineOperation({
      id: 'rotateToken',
      method: 'post',
      path: `${one}/rotate`,
      tag,
      summary: 'Give a token a new value',
      description: 'Same name, rights and lifetime. The old value works on for grace_seconds.',
      access: { kind: 'session', fresh: true },
      params: tokenParams,
      body: rotateTokenRequestSchema,
      bodyOptional: true,
      idempotencyKey: true,
      replies: { 201: { description: 'The new token with its value', schema: createdTokenSchema } },
      async handle({ caller, params, body }) {
        return issued(await tokens.rotate(caller, params.token_id, body.grace_seconds));
      },
    }),
    defineOperation({
      id: 'revokeToken',
      method: 'delete',
      path: one,
      tag,
      summary: 'Revoke a token, at once and for good',
      access: { kind: 'session', fresh: false },
      params: tokenParams,
      replies: { 204: { description: 'It opens nothing any more' } },
      async handle({ caller, params }) {
        await tokens.revoke(caller, params.token_id);
        return { status: 204 };
      },
    }),
  ];
}
