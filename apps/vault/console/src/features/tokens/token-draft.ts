import type { Scope } from '@hearth/protocol-types/vault/scope';
import type { CreateTokenRequest } from '@hearth/protocol-types/vault/token-request';
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

/** `a, b` or `a b` is two entries; nothing is no limit. */
function listIn(text: string): string[] | null {
  const entries = text.split(/[\s,]+/).filter(Boolean);
  return entries.length === 0 ? null : entries;
}
