import type { Caller, RequestFacts } from '../access/caller.js';

export type AuditOutcome = 'success' | 'denied' | 'error';
export type ActorKind = 'user' | 'token' | 'system';

/** What was done, in the closed list that the documentation describes. */
export type AuditAction =
  | `auth.${'login' | 'login_failed' | 'logout'}`
  | `identity.${'link' | 'unlink'}`
  | `session.${'revoke'}`
  | `account.${'create' | 'delete'}`
  | `vault.${'create' | 'update' | 'delete'}`
  | `environment.${'create' | 'update' | 'delete'}`
  | `secret.${'create' | 'update' | 'update_details' | 'move' | 'read' | 'list_values' | 'read_version' | 'rollback' | 'delete' | 'restore' | 'destroy' | 'destroy_version' | 'import' | 'export'}`
  | `token.${'create' | 'update' | 'rotate' | 'revoke' | 'use_denied'}`
  | `key.${'rotate_master' | 'rotate_data'}`
  | `sys.${'seal' | 'unseal'}`
  | `audit.${'prune'}`
  | `backup.${'create' | 'restore'}`;

export interface AuditTarget {
  readonly kind: string;
  readonly id: string | null;
  readonly label: string | null;
}

/** One thing that happened. `meta` holds names, counts and version numbers; never a value. */
export interface NewAuditEvent {
  readonly userId: string;
  readonly actor: { readonly kind: ActorKind; readonly id: string | null; readonly label: string | null };
  readonly action: AuditAction;
  readonly outcome: AuditOutcome;
  readonly target: AuditTarget | null;
  readonly vaultId: string | null;
  readonly request: RequestFacts;
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface AuditEvent extends NewAuditEvent {
  readonly id: number;
  readonly at: Date;
  readonly prevHash: Buffer | null;
  readonly hash: Buffer;
}

export interface AuditFilters {
  /** An action, or a group of them as `secret.*`. */
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  readonly vault?: string | undefined;
  readonly actor?: string | undefined;
  readonly outcome?: 'success' | 'denied' | 'error' | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** The usual event: a caller did something, and it worked. */
export function eventBy(
  caller: Caller,
  action: AuditAction,
  about: {
    target?: AuditTarget;
    vaultId?: string;
    outcome?: AuditOutcome;
    meta?: Readonly<Record<string, unknown>>;
  } = {},
): NewAuditEvent {
  return {
    userId: caller.userId,
    actor: { kind: caller.kind, id: caller.id, label: caller.label },
    action,
    outcome: about.outcome ?? 'success',
    target: about.target ?? null,
    vaultId: about.vaultId ?? null,
    request: caller.request,
    meta: about.meta ?? {},
  };
}

/** The facts that the chain seals, with the moment as text: what is read back must give the same hash. */
export function chainedFacts(event: NewAuditEvent & { readonly at: Date }): Record<string, unknown> {
  const { userId, at, actor, action, outcome, target, vaultId, request, meta } = event;
  return { userId, at: at.toISOString(), actor, action, outcome, target, vaultId, request, meta };
}
