import type { RequestContext } from '../audit/request-context.js';
import type { RunInTransaction, Transaction } from '../db/transaction.js';
import { VaultError } from '../errors/vault-error.js';
import type { Session, SessionLifetimes } from './session.js';
import type { SessionRepository } from './session-repository.js';
import { hashSessionSecret, makeSessionSecret } from './session-secret.js';

/** What happens to sessions is written to the audit log in the same transaction. */
export type SessionAudit = (
  transaction: Transaction,
  event: {
    readonly action: 'auth.logout' | 'session.revoke';
    readonly userId: string;
    readonly sessionId: string | undefined;
    readonly context: RequestContext;
    readonly meta?: Readonly<Record<string, unknown>>;
  },
) => Promise<void>;

export interface SessionServiceParts {
  readonly repository: SessionRepository;
  readonly runInTransaction: RunInTransaction;
  readonly lifetimes: SessionLifetimes;
  readonly audit: SessionAudit;
}

export function createSessionService({
  repository,
  runInTransaction,
  lifetimes,
  audit,
}: SessionServiceParts) {
  return {
    /** Opens a session and returns the secret for its cookie: the only moment at which it is known. */
    async open(
      transaction: Transaction,
      owner: { userId: string; identityId: string },
      context: RequestContext,
    ): Promise<{ session: Session; secret: string }> {
      const secret = makeSessionSecret();
      const sidHash = hashSessionSecret(secret) as Buffer;
      const { ip, userAgent } = context;
      const session = await repository.insert(
        { sidHash, ...owner, ip, userAgent, idleMs: lifetimes.idleMs, absoluteMs: lifetimes.absoluteMs },
        transaction,
      );
      return { session, secret };
    },

    async resolve(secret: string): Promise<Session | undefined> {
      const sidHash = hashSessionSecret(secret);
      if (!sidHash) return undefined;
      const session = await repository.findLive(sidHash);
      if (session) await repository.touch(session.id, lifetimes.idleMs);
      return session;
    },

    list: (userId: string) => repository.listLive(userId),

    async signOut(session: Session, context: RequestContext): Promise<void> {
      await runInTransaction(async (transaction) => {
        await repository.delete(session.userId, session.id, transaction);
        await audit(transaction, {
          action: 'auth.logout',
          userId: session.userId,
          sessionId: session.id,
          context,
        });
      });
    },

    /** Ends a session of the same user; someone else's is as good as not there. */
    async revoke(userId: string, sessionId: string, context: RequestContext): Promise<void> {
      await runInTransaction(async (transaction) => {
        const found = await repository.delete(userId, sessionId, transaction);
        if (!found) throw new VaultError('not_found');
        await audit(transaction, { action: 'session.revoke', userId, sessionId, context });
      });
    },

    async revokeOthers(kept: Session, context: RequestContext): Promise<number> {
      return runInTransaction(async (transaction) => {
        const count = await repository.deleteOthers(kept.userId, kept.id, transaction);
        if (count > 0) {
          await audit(transaction, {
            action: 'session.revoke',
            userId: kept.userId,
            sessionId: undefined,
            context,
            meta: { count },
          });
        }
        return count;
      });
    },

    /** Replaces the session a browser had before it signed in again. */
    async discard(transaction: Transaction, previous: Session): Promise<void> {
      await repository.delete(previous.userId, previous.id, transaction);
    },

    freshUntil(session: Session): Date {
      return new Date(session.authenticatedAt.getTime() + lifetimes.freshMs);
    },

    isFresh(session: Session): boolean {
      return Date.now() < session.authenticatedAt.getTime() + lifetimes.freshMs;
    },

    deleteExpired: () => repository.deleteExpired(),
  };
}

export type SessionService = ReturnType<typeof createSessionService>;
