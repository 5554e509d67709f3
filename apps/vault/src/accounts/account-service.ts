import type { RequestFacts } from '../access/caller.js';
import type { AuditAction, NewAuditEvent } from '../audit/audit-event.js';
import type { AuditService } from '../audit/audit-service.js';
import type { RunInTransaction, Transaction } from '../db/transaction.js';
import { VaultError } from '../errors/vault-error.js';
import type { Session } from '../sessions/session.js';
import type { SessionService } from '../sessions/session-service.js';
import type { Account, Identity, ProviderProfile } from './account.js';
import type { AccountRepository } from './account-repository.js';
import { SignInRefused } from './sign-in-refused.js';
import { maySignUp, type SignupRule } from './signup-rule.js';

export interface AccountServiceParts {
  readonly repository: AccountRepository;
  readonly sessions: SessionService;
  readonly runInTransaction: RunInTransaction;
  readonly signupRule: SignupRule;
  /** Makes the vault that every account starts with, its environments and its data key. */
  readonly createPersonalVault: (transaction: Transaction, userId: string) => Promise<unknown>;
  readonly audit: Pick<AuditService, 'record'>;
}

export interface SignedIn {
  readonly account: Account;
  /** For the cookie. */
  readonly secret: string;
  readonly isNew: boolean;
}

export function createAccountService(parts: AccountServiceParts) {
  const { repository, sessions, runInTransaction, signupRule, createPersonalVault, audit } = parts;
  const loginLock = ({ provider, providerUserId }: ProviderProfile) => `login ${provider} ${providerUserId}`;

  async function signUp(
    transaction: Transaction,
    profile: ProviderProfile,
    request: RequestFacts,
  ): Promise<{ account: Account; identity: Identity }> {
    // Only one of two first logins may own the vault.
    if (signupRule.kind === 'first') await repository.lock(transaction, 'first login');
    const accounts = signupRule.kind === 'first' ? await repository.count(transaction) : 0;
    if (!maySignUp(signupRule, profile, accounts)) throw new SignInRefused('signups-closed');
    const account = await repository.insert(profile.displayName, transaction);
    const identity = await repository.insertIdentity(account.id, profile, transaction);
    await createPersonalVault(transaction, account.id);
    await audit.record(transaction, accountEvent('account.create', account, identity, request));
    return { account, identity };
  }

  async function signInKnown(
    transaction: Transaction,
    identity: Identity,
    profile: ProviderProfile,
  ): Promise<{ account: Account; identity: Identity }> {
    const account = await repository.find(identity.userId, transaction);
    if (!account) throw new SignInRefused('account-disabled');
    await repository.noteLogin(identity.id, profile.username, transaction);
    return { account, identity };
  }

  return {
    async get(userId: string): Promise<Account> {
      const account = await repository.find(userId);
      if (!account) throw new VaultError('not_found');
      return account;
    },

    /**
     * Signs a person in by the login that the provider vouched for, and makes the account on the first one. All of
     * it is one transaction under a lock on that login, so that twenty first logins at once make one account.
     */
    async signIn(
      profile: ProviderProfile,
      previous: Session | undefined,
      request: RequestFacts,
    ): Promise<SignedIn> {
      const result = await runInTransaction(async (transaction) => {
        await repository.lock(transaction, loginLock(profile));
        const known = await repository.findIdentity(profile, transaction);
        const { account, identity } = known
          ? await signInKnown(transaction, known, profile)
          : await signUp(transaction, profile, request);
        if (account.disabledAt) {
          // The refusal is kept in the log, so the transaction must end well.
          await audit.record(transaction, {
            ...accountEvent('auth.login_failed', account, identity, request, { reason: 'account_disabled' }),
            outcome: 'denied',
          });
          return undefined;
        }
        if (previous) await sessions.discard(transaction, previous);
        const owner = { userId: account.id, identityId: identity.id };
        const secret = await sessions.open(transaction, owner, request);
        await audit.record(transaction, accountEvent('auth.login', account, identity, request));
        return { account, secret, isNew: known === undefined };
      });
      if (!result) throw new SignInRefused('account-disabled');
      return result;
    },

    /** Adds a login to the account of a session that has just signed in. E-mail addresses play no part. */
    async link(profile: ProviderProfile, session: Session, request: RequestFacts): Promise<Identity> {
      if (!sessions.isFresh(session)) throw new SignInRefused('session-not-fresh');
      return runInTransaction(async (transaction) => {
        await repository.lock(transaction, loginLock(profile));
        const known = await repository.findIdentity(profile, transaction);
        if (known && known.userId !== session.userId) throw new SignInRefused('identity-taken');
        if (known) return known;
        const account = await repository.find(session.userId, transaction);
        if (!account || account.disabledAt) throw new SignInRefused('account-disabled');
        const identity = await repository.insertIdentity(account.id, profile, transaction);
        await audit.record(transaction, accountEvent('identity.link', account, identity, request));
        return identity;
      });
    },

    listIdentities: (userId: string) => repository.listIdentities(userId),

    async unlink(session: Session, identityId: string, request: RequestFacts): Promise<void> {
      const { userId } = session;
      await runInTransaction(async (transaction) => {
        // Two removals at once must not leave an account that nobody can open.
        await repository.lock(transaction, `logins of ${userId}`);
        const account = await repository.find(userId, transaction);
        const all = await repository.listIdentities(userId, transaction);
        const identity = all.find(({ id }) => id === identityId);
        if (!account || !identity) throw new VaultError('not_found');
        if (all.length === 1) {
          throw new VaultError('last_identity', 'Link another login before you remove this one.');
        }
        await repository.deleteIdentity(identity.id, transaction);
        await sessions.discardOpenedWith(transaction, identity.id, session);
        await audit.record(transaction, accountEvent('identity.unlink', account, identity, request));
      });
    },
  };
}

export type AccountService = ReturnType<typeof createAccountService>;

function accountEvent(
  action: AuditAction,
  account: Account,
  identity: Identity,
  request: RequestFacts,
  meta: Readonly<Record<string, unknown>> = {},
): NewAuditEvent {
  return {
    userId: account.id,
    actor: { kind: 'user', id: account.id, label: account.displayName },
    action,
    outcome: 'success',
    target: { kind: 'identity', id: identity.id, label: identity.username ?? identity.providerUserId },
    vaultId: null,
    request,
    meta: { provider: identity.provider, ...meta },
  };
}
