import {
  type AuditEventMessage,
  type AuditFilter,
  auditEventSchema,
  auditFilterSchema,
  auditLogQuerySchema,
  auditQuerySchema,
  auditVerificationSchema,
} from '@hearth/protocol-types/vault/audit';
import type { Request } from 'express';
import { z } from 'zod';
import type { Caller } from '../access/caller.js';
import { requireWholeAccount } from '../access/require-unlimited.js';
import type { IsOperator } from '../accounts/operator-rule.js';
import { VaultError } from '../errors/vault-error.js';
import { defineOperation, type Operation, scopes } from '../http/operations/operation.js';
import { cutPage, type Paging } from '../http/operations/paging.js';
import type { AuditEvent, AuditFilters } from './audit-event.js';
import type { AuditService } from './audit-service.js';
import { systemUserId } from './system-event.js';

const tag = 'Audit';
const unlimitedOnly = 'Not for a token that is limited to vaults or environments.';

export interface AuditRouteParts {
  readonly audit: AuditService;
  readonly paging: Paging;
  readonly isOperator: IsOperator;
}

export function auditRoutes({ audit, paging, isOperator }: AuditRouteParts): Operation[] {
  /** The chain to read: the caller's own, or that of the installation, which belongs to no account. */
  async function chainOf(
    { caller, request }: { caller: Caller; request: Request },
    { log }: Pick<AuditFilter, 'log'>,
  ): Promise<string> {
    // Events tell names of every vault and environment, and some are about none of them.
    requireWholeAccount(caller, 'read the audit log');
    if (log === 'own') return caller.userId;
    const session = request.browserSession;
    if (session !== undefined && (await isOperator(session))) return systemUserId;
    throw new VaultError('forbidden', 'The log of the installation is for operators, in a browser session.');
  }

  return [
    defineOperation({
      id: 'listAuditEvents',
      method: 'get',
      path: '/api/secrets/audit',
      tag,
      summary: 'Who did what, newest first',
      description: unlimitedOnly,
      access: scopes('audit:read'),
      query: auditQuerySchema,
      replies: { 200: { description: 'The events', schema: z.array(auditEventSchema) } },
      async handle({ caller, query, request }) {
        const chain = await chainOf({ caller, request }, query);
        const [before] = paging.read(`audit ${query.log}`, query.cursor) ?? [];
        const rows = await audit.page(
          chain,
          toFilters(query),
          before === undefined ? undefined : Number(before),
          query.limit + 1,
        );
        const { page, last } = cutPage(rows, query.limit);
        return {
          status: 200,
          json: page.map(toMessage),
          headers: paging.link(request, `audit ${query.log}`, last && [last.id]),
        };
      },
    }),
    defineOperation({
      id: 'exportAuditEvents',
      method: 'get',
      path: '/api/secrets/audit/export.ndjson',
      tag,
      summary: 'All events that fit, one JSON object a line',
      description: unlimitedOnly,
      access: scopes('audit:read'),
      query: auditFilterSchema,
      replies: { 200: { description: 'Newest first', contentTypes: ['application/x-ndjson'] } },
      async handle({ caller, query, request }) {
        const chain = await chainOf({ caller, request }, query);
        return {
          status: 200,
          lines: asLines(audit.all(chain, toFilters(query))),
          headers: {
            'content-type': 'application/x-ndjson',
            'content-disposition': 'attachment; filename="audit.ndjson"',
          },
        };
      },
    }),
    defineOperation({
      id: 'verifyAuditLog',
      method: 'get',
      path: '/api/secrets/audit/verify',
      tag,
      summary: 'Check the chain of the log',
      description: `Finds the first event that was changed, or that follows one that was removed. ${unlimitedOnly}`,
      access: scopes('audit:read'),
      query: auditLogQuerySchema,
      replies: { 200: { description: 'Whether it holds', schema: auditVerificationSchema } },
      async handle({ caller, query, request }) {
        const chain = await chainOf({ caller, request }, query);
        const { valid, events, firstBrokenId, head } = await audit.verify(chain);
        return {
          status: 200,
          json: { valid, events, first_broken_id: firstBrokenId, head: head?.toString('hex') ?? null },
        };
      },
    }),
  ];
}

function toFilters({ from, to, log: _log, ...rest }: AuditFilter): AuditFilters {
  return {
    ...rest,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
}

async function* asLines(events: AsyncIterable<AuditEvent>): AsyncIterable<string> {
  for await (const event of events) yield `${JSON.stringify(toMessage(event))}\n`;
}

function toMessage(event: AuditEvent): AuditEventMessage {
  return {
    id: event.id,
    at: event.at.toISOString(),
    actor: event.actor,
    action: event.action,
    outcome: event.outcome,
    target: event.target,
    vault_id: event.vaultId,
    ip: event.request.ip,
    user_agent: event.request.userAgent,
    request_id: event.request.requestId,
    meta: event.meta,
    hash: event.hash.toString('hex'),
    prev_hash: event.prevHash?.toString('hex') ?? null,
  };
}
