import type { RequestContext } from '../audit/request-context.js';
import type { RunInTransaction, Transaction } from '../db/transaction.js';
import { VaultError } from '../errors/vault-error.js';
import type { Session } from '../sessions/session.js';
import type { SessionService } from '../sessions/session-service.js';
import type { Account, Identity, ProviderProfile } from './account.js';
import type { AccountRepository } from './account-repository.js';
import { SignInRefused } from './sign-in-refused.js';
import { maySignUp, type SignupRule } from './signup-rule.js';

/** What happens to accounts is written to the audit log in the same transaction. */
export type AccountAudit = (
  transaction: Transaction,
  event: {
    readonly action: 'auth.login' | 'auth.login_failed' | 'identity.link' | 'identity.unlink';
    readonly outcome: 'success' | 'denied';
    readonly userId: string;
    readonly label: string;
    readonly identity: Identity;
    readonly context: RequestContext;
    readonly meta?: Readonly<Record<string, unknown>>;
  },
) => Promise<void>;

export interface AccountServiceParts {
  readonly repository: AccountRepository;
  readonly sessions: SessionService;
  readonly runInTransaction: RunInTransaction;
  readonly signupRule: SignupRule;
  /** Makes the vault that every account starts with, its environments and its data key. */
  readonly createPersonalVault: (
    transaction: Transaction,
    userId: string,
    context: RequestContext,
  ) => Promise<void>;
  readonly audit: AccountAudit;
}

export interface SignedIn {
  readonly account: Account;
  readonly session: Session;
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
    context: RequestContext,
  ): Promise<{ account: Account; identity: Identity }> {
    // Only one of two first logins may own the vault.
    if (signupRule.kind === 'first') await repository.lock(transaction, 'first login');
    const accounts = signupRule.kind === 'first' ? await repository.count(transaction) : 0;
    if (!maySignUp(signupRule, profile, accounts)) throw new SignInRefused('signups-closed');
    const account = await repository.insert(profile.displayName, transaction);
    const identity = await repository.insertIdentity(account.id, profile, transaction);
    await createPersonalVault(transaction, account.id, context);
    return { account, identity };
  }

  async function signInKnown(
    transaction: Transaction,
    identity: Identity,
    profile: ProviderProfile,
  ): Promise<Account> {
    const account = await repository.find(identity.userId, transaction);
    if (!account) throw new SignInRefused('account-disabled');
    await repository.noteLogin(identity.id, profile.username, transaction);
    return account;
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
      context: RequestContext,
    ): Promise<SignedIn> {
      const result = await runInTransaction(async (transaction) => {
        await repository.lock(transaction, loginLock(profile));
        const known = await repository.findIdentity(profile, transaction);
        const { account, identity } = known
          ? { account: await signInKnown(transaction, known, profile), identity: known }
          : await signUp(transaction, profile, context);
        const event = { userId: account.id, label: account.displayName, identity, context };
        if (account.disabledAt) {
          // The refusal is kept in the log, so the transaction must end well.
          await audit(transaction, {
            ...event,
            action: 'auth.login_failed',
            outcome: 'denied',
            meta: { reason: 'account_disabled' },
          });
          return undefined;
        }
        if (previous) await sessions.discard(transaction, previous);
        const opened = await sessions.open(
          transaction,
          { userId: account.id, identityId: identity.id },
          context,
        );
        await audit(transaction, {
          ...event,
          action: 'auth.login',
          outcome: 'success',
          meta: { provider: profile.provider, first: known === undefined },
        });
        return { account, ...opened, isNew: known === undefined };
      });
      if (!result) throw new SignInRefused('account-disabled');
      return result;
    },

    /** Adds a login to the account of a session that has just signed in. E-mail addresses play no part. */
    async link(profile: ProviderProfile, session: Session, context: RequestContext): Promise<Identity> {
      if (!sessions.isFresh(session)) throw new SignInRefused('session-not-fresh');
      return runInTransaction(async (transaction) => {
        await repository.lock(transaction, loginLock(profile));
        const known = await repository.findIdentity(profile, transaction);
        if (known && known.userId !== session.userId) throw new SignInRefused('identity-taken');
        if (known) return known;
        const account = await repository.find(session.userId, transaction);
        if (!account || account.disabledAt) throw new SignInRefused('account-disabled');
        const identity = await repository.insertIdentity(account.id, profile, transaction);
        await audit(transaction, {
          action: 'identity.link',
          outcome: 'success',
          userId: account.id,
          label: account.displayName,
          identity,
          context,
          meta: { provider: profile.provider },
        });
        return identity;
      });
    },

    listIdentities: (userId: string) => repository.listIdentities(userId),

    async unlink(userId: string, identityId: string, context: RequestContext): Promise<void> {
      await runInTransaction(async (transaction) => {
        // Two removals at once must not leave an account that nobody can open.
        await repository.lock(transaction, `logins of ${userId}`);
        const all = await repository.listIdentities(userId, transaction);
        const identity = all.find(({ id }) => id === identityId);
        if (!identity) throw new VaultError('not_found');
        if (all.length === 1)
          throw new VaultError('last_identity', 'Link another login before you remove this one.');
        const account = await repository.find(userId, transaction);
        await repository.deleteIdentity(identity.id, transaction);
        await audit(transaction, {
          action: 'identity.unlink',
          outcome: 'success',
          userId,
          label: account?.displayName ?? '',
          identity,
          context,
          meta: { provider: identity.provider },
        });
      });
    },
  };
}

export type AccountService = ReturnType<typeof createAccountService>;
