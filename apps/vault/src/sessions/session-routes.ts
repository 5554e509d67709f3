import {
  currentSessionSchema,
  revokedSessionsSchema,
  type SessionSummary,
  sessionSummarySchema,
} from '@hearth/protocol-types/vault/session';
import { z } from 'zod';
import type { AccountService } from '../accounts/account-service.js';
import type { Cookies } from '../http/cookies.js';
import { defineOperation, type Operation } from '../http/operations/operation.js';
import { sessionFor } from '../http/session-for.js';
import type { Session } from './session.js';
import type { SessionService } from './session-service.js';

export interface SessionRouteParts {
  readonly sessions: SessionService;
  readonly accounts: AccountService;
  readonly cookies: Cookies;
}

const tag = 'Sessions';
const access = { kind: 'session', fresh: false } as const;

/** Who is signed in here, and where else. */
export function sessionRoutes({ sessions, accounts, cookies }: SessionRouteParts): Operation[] {
  const cleared = { 'set-cookie': cookies.clearing(cookies.names.session) };
  return [
    defineOperation({
      id: 'getSession',
      method: 'get',
      path: '/api/session',
      tag,
      summary: 'Who is signed in',
      access,
      replies: { 200: { description: 'The person and the session', schema: currentSessionSchema } },
      async handle({ request }) {
        const session = sessionFor(request);
        const { id, displayName, createdAt } = await accounts.get(session.userId);
        return {
          status: 200,
          json: {
            user: { id, display_name: displayName, created_at: createdAt.toISOString() },
            session: {
              ...summaryOf(session, session),
              fresh_until: sessions.freshUntil(session).toISOString(),
            },
          },
        };
      },
    }),
    defineOperation({
      id: 'signOut',
      method: 'delete',
      path: '/api/session',
      tag,
      summary: 'Sign out',
      access,
      replies: { 204: { description: 'The session has ended' } },
      async handle({ request, caller }) {
        await sessions.signOut(sessionFor(request), caller.request);
        const headers = { ...cleared, 'clear-site-data': '"cache", "cookies", "storage"' };
        return { status: 204, headers };
      },
    }),
    defineOperation({
      id: 'listSessions',
      method: 'get',
      path: '/api/sessions',
      tag,
      summary: 'Every browser that is signed in to this account',
      access,
      replies: { 200: { description: 'Latest used first', schema: z.array(sessionSummarySchema) } },
      async handle({ request }) {
        const current = sessionFor(request);
        const all = await sessions.list(current.userId);
        return { status: 200, json: all.map((session) => summaryOf(session, current)) };
      },
    }),
    defineOperation({
      id: 'revokeOtherSessions',
      method: 'delete',
      path: '/api/sessions',
      tag,
      summary: 'Sign out everywhere else',
      access,
      replies: { 200: { description: 'How many have ended', schema: revokedSessionsSchema } },
      async handle({ request, caller }) {
        const revoked = await sessions.revokeOthers(sessionFor(request), caller.request);
        return { status: 200, json: { revoked } };
      },
    }),
    defineOperation({
      id: 'revokeSession',
      method: 'delete',
      path: '/api/sessions/{session_id}',
      tag,
      summary: 'Sign out one browser',
      access,
      params: z.object({ session_id: z.uuid() }),
      replies: { 204: { description: 'The session has ended' } },
      async handle({ request, caller, params }) {
        const current = sessionFor(request);
        await sessions.revoke(current, params.session_id, caller.request);
        return { status: 204, headers: params.session_id === current.id ? cleared : {} };
      },
    }),
  ];
}

function summaryOf(session: Session, current: Session): SessionSummary {
  return {
    id: session.id,
    current: session.id === current.id,
    ip: session.ip,
    user_agent: session.userAgent,
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    authenticated_at: session.authenticatedAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
  };
}
