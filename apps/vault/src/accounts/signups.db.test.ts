import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createTestApp } from '../../test/create-test-app.js';
import { signInAs, startTestVault } from '../../test/start-test-vault.js';
import { TestBrowser } from '../../test/test-browser.js';
import { createAccountRepository } from './account-repository.js';
import { createAccountService } from './account-service.js';

async function withVault(
  env: NodeJS.ProcessEnv,
  work: (signIn: (login: string) => Promise<string>) => Promise<void>,
) {
  const vault = await startTestVault(env);
  try {
    await work(async (login) => {
      const { location } = await signInAs(new TestBrowser(), vault, login);
      return String(location).slice(vault.url.length);
    });
  } finally {
    await vault.close();
  }
}

test('SIGNUPS=closed lets nobody new in and makes no account', async () => {
  await withVault({ SIGNUPS: 'closed' }, async (signIn) => {
    expect(await signIn('ada')).toBe('/signin?e=not-allowed');
  });
}, 60_000);

test('SIGNUPS=allowlist lets in who is listed', async () => {
  await withVault({ SIGNUPS: 'allowlist', ALLOWED_LOGINS: 'github:ada' }, async (signIn) => {
    expect(await signIn('ada')).toBe('/');
    expect(await signIn('grace')).toBe('/signin?e=not-allowed');
    expect(await signIn('ada')).toBe('/');
  });
}, 60_000);

test('of ten people who are first at the same moment exactly one owns the vault', async () => {
  const { database, domain, sessions, close } = await createTestApp();
  try {
    const accounts = createAccountService({
      repository: createAccountRepository(database.db),
      sessions,
      runInTransaction: domain.inTransaction,
      signupRule: { kind: 'first', logins: [] },
      createPersonalVault: domain.vaults.createPersonal,
      audit: domain.audit,
    });
    const request = { requestId: randomUUID(), ip: null, userAgent: null };
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        accounts.signIn(
          { provider: 'github', providerUserId: String(index + 1), username: undefined, displayName: 'x' },
          undefined,
          request,
        ),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  } finally {
    await close();
  }
}, 60_000);
