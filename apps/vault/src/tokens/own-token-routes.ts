import {
  introspectionRequestSchema,
  introspectionResponseSchema,
} from '@hearth/protocol-types/vault/introspection';
import { scopeCatalogueSchema } from '@hearth/protocol-types/vault/scope-catalogue';
import { tokenSchema } from '@hearth/protocol-types/vault/token';
import { defineOperation, type Operation, scopes } from '../http/operations/operation.js';
import { impliedScopes, scopeDescriptions, scopePresets } from './scopes.js';
import { toIntrospection, toMessage } from './token-messages.js';
import type { TokenService } from './token-service.js';

const tag = 'Tokens';

/** What a token may learn and do about itself, and what others may learn about one. */
export function ownTokenRoutes({ tokens, now }: { tokens: TokenService; now: () => Date }): Operation[] {
  return [
    defineOperation({
      id: 'whoAmI',
      method: 'get',
      path: '/api/secrets/token',
      tag,
      summary: 'The token of this request',
      access: { kind: 'token' },
      replies: { 200: { description: 'The token, without its value', schema: tokenSchema } },
      async handle({ caller }) {
        return { status: 200, json: toMessage(await tokens.find(caller, caller.id), now()) };
      },
    }),
    defineOperation({
      id: 'revokeSelf',
      method: 'delete',
      path: '/api/secrets/token',
      tag,
      summary: 'Revoke the token of this request',
      access: { kind: 'token' },
      replies: { 204: { description: 'It opens nothing any more' } },
      async handle({ caller }) {
        await tokens.revoke(caller, caller.id);
        return { status: 204 };
      },
    }),
    defineOperation({
      id: 'introspectToken',
      method: 'post',
      path: '/api/secrets/introspect',
      tag,
      summary: 'Ask whether a token is live (RFC 7662)',
      description: 'Only tokens of the same account are known here; any other is simply not active.',
      access: scopes('tokens:read'),
      body: introspectionRequestSchema,
      bodyTypes: ['application/x-www-form-urlencoded', 'application/json'],
      replies: { 200: { description: 'Live or not', schema: introspectionResponseSchema } },
      async handle({ caller, body }) {
        return { status: 200, json: toIntrospection(await tokens.introspect(caller, body.token)) };
      },
    }),
    defineOperation({
      id: 'listScopes',
      method: 'get',
      path: '/api/secrets/scopes',
      tag,
      summary: 'The scopes a token can have, in plain words',
      access: { kind: 'anyone' },
      replies: { 200: { description: 'Scopes and presets', schema: scopeCatalogueSchema } },
      async handle() {
        const described = scopeDescriptions.map((scope) => ({
          ...scope,
          implies: impliedScopes(scope.name),
        }));
        return { status: 200, json: { scopes: described, presets: scopePresets } };
      },
    }),
  ];
}
