import type { TokenMessage } from '@hearth/protocol-types/vault/token';
import { describe, expect, test } from '@jest/globals';
import {
  changesOf,
  draftOf,
  emptyTokenDraft,
  narrowingProblemsOf,
  problemsOf,
  requestOf,
} from './token-draft.js';

describe('the form for a token', () => {
  test('asks for a name, a right and, where vaults are chosen, for one of them', () => {
    expect(Object.keys(problemsOf({ ...emptyTokenDraft, scopes: [], vaultIds: [] }))).toEqual([
      'name',
      'scopes',
      'vaults',
    ]);
    expect(problemsOf({ ...emptyTokenDraft, name: 'ci' })).toEqual({});
  });

  test('ends after 90 days and has no limits unless they are given', () => {
    expect(requestOf({ ...emptyTokenDraft, name: 'ci' })).toEqual({
      name: 'ci',
      scopes: ['secrets:read'],
      expires_in_days: 90,
      vault_ids: null,
      environments: null,
      ip_allow: null,
    });
  });

  test('reads lists with commas, blanks or both', () => {
    const { environments, ip_allow } = requestOf({
      ...emptyTokenDraft,
      environments: ' prod, staging',
      ipAllow: '10.0.0.0/8  ::1,',
    });
    expect(environments).toEqual(['prod', 'staging']);
    expect(ip_allow).toEqual(['10.0.0.0/8', '::1']);
  });
});

describe('the form for a token that exists', () => {
  const token = {
    name: 'ci',
    scopes: ['secrets:read', 'secrets:write'],
    vault_ids: null,
    environments: ['dev', 'prod'],
    ip_allow: null,
  } as unknown as TokenMessage;

  test('asks for nothing where nothing was changed', () => {
    expect(changesOf(token, draftOf(token))).toEqual({});
    expect(narrowingProblemsOf(token, draftOf(token))).toEqual({});
  });

  test('sends just what is narrower', () => {
    const draft = { ...draftOf(token), name: 'deploy', scopes: ['secrets:read'], environments: 'prod' };
    expect(changesOf(token, draft)).toEqual({
      name: 'deploy',
      scopes: ['secrets:read'],
      environments: ['prod'],
    });
    expect(changesOf(token, { ...draftOf(token), vaultIds: ['v'], ipAllow: '10.0.0.1' })).toEqual({
      vault_ids: ['v'],
      ip_allow: ['10.0.0.1'],
    });
  });

  test('says that a limit cannot be taken away', () => {
    expect(Object.keys(narrowingProblemsOf(token, { ...draftOf(token), environments: ' ' }))).toEqual([
      'environments',
    ]);
  });
});
