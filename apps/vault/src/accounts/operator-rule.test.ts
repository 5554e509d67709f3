import { expect, test } from '@jest/globals';
import type { Identity } from './account.js';
import { createOperatorRule } from './operator-rule.js';

const identity = (provider: Identity['provider'], providerUserId: string, username?: string): Identity => ({
  id: `${provider} ${providerUserId}`,
  userId: 'ada',
  provider,
  providerUserId,
  username,
  createdAt: new Date(),
  lastLoginAt: undefined,
});

const isOperator = (
  logins: readonly string[],
  accounts: number,
  identities: Identity[] = [],
  signedInWith = identities[0],
) =>
  createOperatorRule({
    logins,
    repository: { count: async () => accounts, listIdentities: async () => identities },
  })({ userId: 'ada', identityId: signedInWith?.id });

test('nobody but the only account is an operator where none are named', async () => {
  expect(await isOperator([], 1)).toBe(true);
  expect(await isOperator([], 2)).toBe(false);
});

test('a login named by its id makes an operator of the account it belongs to, whichever of its logins was used', async () => {
  const both = [identity('google', '1099'), identity('github', '7', 'Octo-Cat')];
  for (const signedInWith of both) {
    expect(await isOperator(['google:1099'], 9, both, signedInWith)).toBe(true);
    expect(await isOperator(['github:id:7'], 9, both, signedInWith)).toBe(true);
    expect(await isOperator(['github:7', 'google:7', 'github:1099'], 9, both, signedInWith)).toBe(false);
  }
});

test('a GitHub name counts for who has signed in with that login, and not for who once linked it', async () => {
  const [google, github] = [identity('google', '1099'), identity('github', '7', 'Octo-Cat')];
  expect(await isOperator(['github:octo-cat'], 9, [google, github], github)).toBe(true);
  expect(await isOperator(['github:octo-cat'], 9, [google, github], google)).toBe(false);
});

test('once somebody is named, being the only account is not enough', async () => {
  expect(await isOperator(['github:octocat'], 1, [identity('github', '8', 'other')])).toBe(false);
});
