import { describe, expect, test } from '@jest/globals';
import type { ProviderProfile } from './account.js';
import { maySignUp, signupRuleOf } from './signup-rule.js';

const octocat: ProviderProfile = {
  provider: 'github',
  providerUserId: '583231',
  username: 'Octocat',
  displayName: 'The Octocat',
};

const may = (
  settings: { signups?: 'open' | 'closed' | 'allowlist'; allowedLogins?: string[]; loopback?: boolean },
  profile: ProviderProfile = octocat,
  accounts = 1,
) =>
  maySignUp(
    signupRuleOf({ signups: undefined, allowedLogins: [], loopback: false, ...settings }),
    profile,
    accounts,
  );

describe('who may make an account', () => {
  test('open: anybody; closed: nobody, not even the first', () => {
    expect(may({ signups: 'open' })).toBe(true);
    expect(may({ signups: 'closed' }, octocat, 0)).toBe(false);
  });

  test('without a setting: anybody on this machine, elsewhere only the first', () => {
    expect(may({ loopback: true })).toBe(true);
    expect(may({}, octocat, 0)).toBe(true);
    expect(may({}, octocat, 1)).toBe(false);
  });

  test('with a list and no setting: only who is on it, also as the first', () => {
    expect(may({ allowedLogins: ['github:other'] }, octocat, 0)).toBe(false);
  });

  test('a GitHub login is on the list by name in any case, or by id', () => {
    expect(may({ signups: 'allowlist', allowedLogins: ['github:octocat'] })).toBe(true);
    expect(may({ signups: 'allowlist', allowedLogins: ['github:id:583231'] })).toBe(true);
    expect(may({ signups: 'allowlist', allowedLogins: ['google:583231', 'github:octo'] })).toBe(false);
  });

  test('a GitHub user cannot pass for an id by taking the number as a name', () => {
    const impostor = { ...octocat, providerUserId: '999', username: '583231' };
    expect(may({ signups: 'allowlist', allowedLogins: ['github:id:583231'] }, impostor)).toBe(false);
  });

  test('a Google login is on the list by id only', () => {
    const google: ProviderProfile = { ...octocat, provider: 'google', providerUserId: '1099' };
    expect(may({ signups: 'allowlist', allowedLogins: ['google:1099'] }, google)).toBe(true);
    expect(may({ signups: 'allowlist', allowedLogins: ['github:octocat'] }, google)).toBe(false);
  });
});
