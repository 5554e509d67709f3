import type { ScopeCatalogue } from '@hearth/protocol-types/vault/scope-catalogue';
import type { CreatedTokenMessage, TokenMessage } from '@hearth/protocol-types/vault/token';
import type { CreateTokenRequest, UpdateTokenRequest } from '@hearth/protocol-types/vault/token-request';
import { callAllPages, callApi, callJson, pathOf } from './client.js';

export const readScopes = () => callJson<ScopeCatalogue>('/api/secrets/scopes');
/** All of them: an old token that still lives must not hide behind newer ones. */
export const listTokens = () => callAllPages<TokenMessage>('/api/secrets/tokens?limit=200');

export const createToken = (body: CreateTokenRequest) =>
  callJson<CreatedTokenMessage>('/api/secrets/tokens', { method: 'POST', body });

export const updateToken = (id: string, body: UpdateTokenRequest) =>
  callJson<TokenMessage>(pathOf`/api/secrets/tokens/${id}`, { method: 'PATCH', body });

export const rotateToken = (id: string, graceSeconds: number) =>
  callJson<CreatedTokenMessage>(pathOf`/api/secrets/tokens/${id}/rotate`, {
    method: 'POST',
    body: { grace_seconds: graceSeconds },
  });

export const revokeToken = (id: string) => callApi(pathOf`/api/secrets/tokens/${id}`, { method: 'DELETE' });
export const revokeAllTokens = () =>
  callJson<{ revoked: number }>('/api/secrets/tokens/revoke-all', { method: 'POST' });
