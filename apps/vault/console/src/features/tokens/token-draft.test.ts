import { describe, expect, test } from '@jest/globals';
import { emptyTokenDraft, problemsOf, requestOf } from './token-draft.js';

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
