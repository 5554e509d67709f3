import type { IntrospectionResponse } from '@hearth/protocol-types/vault/introspection';
import type { TokenMessage } from '@hearth/protocol-types/vault/token';
import { environmentsIn } from '../access/environment-limits.js';
import { tokenPrefix } from '../crypto/api-token.js';
import { rightsOf, statusOf, type Token, type TokenGrant } from './token.js';

/** A token as its owner sees it: never its value, never its hash. */
export function toMessage(token: Token, now: Date): TokenMessage {
  return {
    id: token.id,
    name: token.name,
    hint: `${tokenPrefix}…${token.lastFour}`,
    scopes: [...token.scopes],
    effective_scopes: [...rightsOf(token)],
    vault_ids: copy(token.vaultIds),
    environments: copy(token.environments),
    vault_environments: Object.keys(token.environmentRenames ?? {}).map((vaultId) => ({
      vault_id: vaultId,
      environments: [...(environmentsIn(token, vaultId) ?? [])],
    })),
    ip_allow: copy(token.ipAllow),
    status: statusOf(token, now),
    created_at: token.createdAt.toISOString(),
    expires_at: text(token.expiresAt),
    last_used_at: text(token.lastUsedAt),
    last_used_ip: token.lastUsedIp,
    last_used_user_agent: token.lastUsedUserAgent,
    use_count: token.useCount,
    revoked_at: text(token.revokedAt),
    rotated_to: token.rotatedTo,
    leak: token.leakReportedBy === null ? null : { reported_by: token.leakReportedBy, url: token.leakUrl },
  };
}

/** RFC 7662: whoever asks about a token that is not live learns nothing else. */
export function toIntrospection(token: TokenGrant | undefined): IntrospectionResponse {
  if (token === undefined) return { active: false };
  return {
    active: true,
    scope: [...rightsOf(token)].join(' '),
    client_id: token.id,
    username: token.name,
    token_type: 'Bearer',
    iat: seconds(token.createdAt),
    ...(token.expiresAt === null ? {} : { exp: seconds(token.expiresAt) }),
    sub: token.userId,
    jti: token.id,
  };
}

function seconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}

function text(moment: Date | null): string | null {
  return moment?.toISOString() ?? null;
}

function copy(list: readonly string[] | null): string[] | null {
  return list === null ? null : [...list];
}
