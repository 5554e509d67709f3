import type { Caller } from '../access/caller.js';
import { type AuditAction, eventBy, type NewAuditEvent } from '../audit/audit-event.js';
import type { Secret } from './secret.js';

/** An event about one secret: its name and place, and numbers; never its value. */
export function secretEvent(
  caller: Caller,
  action: AuditAction,
  secret: Secret,
  meta: Readonly<Record<string, unknown>> = {},
): NewAuditEvent {
  return eventBy(caller, action, {
    target: { kind: 'secret', id: secret.id, label: secret.key },
    vaultId: secret.vaultId,
    meta: { environment: secret.environment, path: secret.path, ...meta },
  });
}

/** Where a secret was before it was moved; undefined where it stayed. */
export function movedFrom(
  before: Pick<Secret, 'environment' | 'path'>,
  after: Pick<Secret, 'environment' | 'path'>,
): { readonly from_environment: string; readonly from_path: string } | undefined {
  if (before.environment === after.environment && before.path === after.path) return undefined;
  return { from_environment: before.environment, from_path: before.path };
}

const mostNames = 1000;

/** An event about many secrets at once: how many, and which. */
export function bulkEvent(
  caller: Caller,
  action: AuditAction,
  vaultId: string,
  names: readonly string[],
  meta: Readonly<Record<string, unknown>> = {},
): NewAuditEvent {
  return eventBy(caller, action, {
    target: { kind: 'vault', id: vaultId, label: null },
    vaultId,
    meta: { ...meta, count: names.length, keys: names.slice(0, mostNames) },
  });
}
