import { randomUUID } from 'node:crypto';
import type { AuditAction, NewAuditEvent } from './audit-event.js';

/** Events about the whole installation belong to no account. */
export const systemUserId = '00000000-0000-0000-0000-000000000000';

/** What an operator did to the whole installation with a command. */
export function systemEvent(action: AuditAction, meta: Readonly<Record<string, unknown>>): NewAuditEvent {
  return {
    userId: systemUserId,
    actor: { kind: 'system', id: null, label: 'hearth-vault' },
    action,
    outcome: 'success',
    target: null,
    vaultId: null,
    request: { requestId: randomUUID(), ip: null, userAgent: null },
    meta,
  };
}
