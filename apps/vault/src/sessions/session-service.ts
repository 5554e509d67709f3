import type { RequestFacts } from '../access/caller.js';
import type { NewAuditEvent } from '../audit/audit-event.js';
import type { AuditService } from '../audit/audit-service.js';
import type { RunInTransaction, Transaction } from '../db/transaction.js';
import { VaultError } from '../errors/vault-error.js';
import type { Session, SessionLifetimes } from './session.js';
import type { SessionRepository } from './session-repository.js';
import { hashSessionSecret, makeSessionSecret } from './session-secret.js';

export interface SessionServiceParts {
  readonly repository: SessionRepository;
  readonly runInTransaction: RunInTransaction;
  readonly lifetimes: SessionLifetimes;
  readonly audit: Pick<AuditService, 'record'>;
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
      request: RequestFacts,
    ): Promise<string> {
      const secret = makeSessionSecret();
      const sidHash = hashSessionSecret(secret) as Buffer;
      const { ip, userAgent } = request;
      await repository.insert(
        { sidHash, ...owner, ip, userAgent, idleMs: lifetimes.idleMs, absoluteMs: lifetimes.absoluteMs },
        transaction,
      );
      return secret;
    },

    async resolve(secret: string): Promise<Session | undefined> {
      const sidHash = hashSessionSecret(secret);
      if (!sidHash) return undefined;
      const session = await repository.findLive(sidHash);
      if (session) await repository.touch(session.id, lifetimes.idleMs);
      return session;
    },

    list: (userId: string) => repository.listLive(userId),

    async signOut(session: Session, request: RequestFacts): Promise<void> {
      await runInTransaction(async (transaction) => {
        await repository.delete(session.userId, session.id, transaction);
        await audit.record(transaction, sessionEvent('auth.logout', session, session.id, request));
      });
    },

    /** Ends a session of the same user; someone else's is as good as not there. */
    async revoke(by: Session, sessionId: string, request: RequestFacts): Promise<void> {
      await runInTransaction(async (transaction) => {
        const found = await repository.delete(by.userId, sessionId, transaction);
        if (!found) throw new VaultError('not_found');
        await audit.record(transaction, sessionEvent('session.revoke', by, sessionId, request));
      });
    },

    async revokeOthers(by: Session, request: RequestFacts): Promise<number> {
      return runInTransaction(async (transaction) => {
        const count = await repository.deleteOthers(by.userId, by.id, transaction);
        if (count > 0) {
          await audit.record(transaction, sessionEvent('session.revoke', by, null, request, { count }));
        }
        return count;
      });
    },

    /** Replaces the session a browser had before it signed in again. */
    async discard(transaction: Transaction, previous: Session): Promise<void> {
      await repository.delete(previous.userId, previous.id, transaction);
    },

    /** Ends what a login opened, once it no longer opens the account. The one who removed it stays signed in. */
    async discardOpenedWith(transaction: Transaction, identityId: string, kept: Session): Promise<void> {
      await repository.deleteOpenedWith(identityId, kept.id, transaction);
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

function sessionEvent(
  action: 'auth.logout' | 'session.revoke',
  by: Session,
  sessionId: string | null,
  request: RequestFacts,
  meta: Readonly<Record<string, unknown>> = {},
): NewAuditEvent {
  return {
    userId: by.userId,
    actor: { kind: 'user', id: by.userId, label: by.displayName },
    action,
    outcome: 'success',
    target: { kind: 'session', id: sessionId, label: null },
    vaultId: null,
    request,
    meta,
  };
}
