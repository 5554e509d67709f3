import type { Caller } from '../access/caller.js';
import { type AuditAction, eventBy, type NewAuditEvent } from '../audit/audit-event.js';
import type { Token } from './token.js';

/** An event about one token: its name and facts; never its value. */
export function tokenEvent(
  caller: Caller,
  action: AuditAction,
  token: Token,
  meta: Readonly<Record<string, unknown>> = {},
): NewAuditEvent {
  return eventBy(caller, action, { target: { kind: 'token', id: token.id, label: token.name }, meta });
}
