import type { Scope } from '@hearth/protocol-types/vault/scope';
import type { TokenMessage } from '@hearth/protocol-types/vault/token';
import type { CreateTokenRequest, UpdateTokenRequest } from '@hearth/protocol-types/vault/token-request';
import { texts } from '../../texts.js';

/** What the form holds while it is filled in. */
export interface TokenDraft {
  readonly name: string;
  readonly scopes: readonly string[];
  /** null: no end. */
  readonly expiresInDays: number | null;
  /** undefined: all vaults. */
  readonly vaultIds: readonly string[] | undefined;
  readonly environments: string;
  readonly ipAllow: string;
}

export const emptyTokenDraft: TokenDraft = {
  name: '',
  scopes: ['secrets:read'],
  expiresInDays: 90,
  vaultIds: undefined,
  environments: '',
  ipAllow: '',
};

export interface DraftProblems {
  readonly name?: string;
  readonly scopes?: string;
  readonly vaults?: string;
  readonly environments?: string;
  readonly ip?: string;
}

export function problemsOf(draft: TokenDraft): DraftProblems {
  const { needName, needScope, needVault } = texts.tokenForm;
  return {
    ...(draft.name.trim() === '' ? { name: needName } : {}),
    ...(draft.scopes.length === 0 ? { scopes: needScope } : {}),
    ...(draft.vaultIds?.length === 0 ? { vaults: needVault } : {}),
  };
}

export function requestOf(draft: TokenDraft): CreateTokenRequest {
  return {
    name: draft.name,
    scopes: [...draft.scopes] as Scope[],
    expires_in_days: draft.expiresInDays,
    vault_ids: draft.vaultIds === undefined ? null : [...draft.vaultIds],
    environments: listIn(draft.environments),
    ip_allow: listIn(draft.ipAllow),
  };
}

/** A token that exists, as the form shows it. */
export function draftOf(token: TokenMessage): TokenDraft {
  return {
    name: token.name,
    scopes: token.scopes,
    expiresInDays: null,
    vaultIds: token.vault_ids ?? undefined,
    environments: token.environments?.join(', ') ?? '',
    ipAllow: token.ip_allow?.join(', ') ?? '',
  };
}

/** A limit that is there can be made tighter and not taken away. */
export function narrowingProblemsOf(token: TokenMessage, draft: TokenDraft): DraftProblems {
  const { cannotWiden } = texts.tokens;
  const { environments, ip_allow: ipAllow } = requestOf(draft);
  return {
    ...problemsOf(draft),
    ...(token.environments !== null && environments === null ? { environments: cannotWiden } : {}),
    ...(token.ip_allow !== null && ipAllow === null ? { ip: cannotWiden } : {}),
  };
}

/** Only what differs from the token as it is. */
export function changesOf(token: TokenMessage, draft: TokenDraft): UpdateTokenRequest {
  const wanted = requestOf(draft);
  const differs = (now: readonly string[] | null, then: readonly string[] | null) =>
    then !== null && JSON.stringify([...(now ?? [])].sort()) !== JSON.stringify([...then].sort());
  return {
    ...(wanted.name === token.name ? {} : { name: wanted.name }),
    ...(differs(token.scopes, wanted.scopes) ? { scopes: wanted.scopes } : {}),
    ...(wanted.vault_ids && differs(token.vault_ids, wanted.vault_ids)
      ? { vault_ids: wanted.vault_ids }
      : {}),
    ...(wanted.environments && differs(token.environments, wanted.environments)
      ? { environments: wanted.environments }
      : {}),
    ...(wanted.ip_allow && differs(token.ip_allow, wanted.ip_allow) ? { ip_allow: wanted.ip_allow } : {}),
  };
}

/** `a, b` or `a b` is two entries; nothing is no limit. */
function listIn(text: string): string[] | null {
  const entries = text.split(/[\s,]+/).filter(Boolean);
  return entries.length === 0 ? null : entries;
}
