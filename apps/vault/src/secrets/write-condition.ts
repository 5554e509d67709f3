import { VaultError } from '../errors/vault-error.js';

/** What must be true of a secret for a write to happen: how two writers keep from undoing each other's work. */
export type WriteCondition =
  | { readonly kind: 'none' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'present' }
  | { readonly kind: 'versions'; readonly versions: readonly number[] };

export const unconditional: WriteCondition = { kind: 'none' };

/** As a body says it: 0 for one that must not be there yet; nothing where anything will do. */
export function versionCondition(version: number | undefined): WriteCondition {
  if (version === undefined) return unconditional;
  return version === 0 ? { kind: 'absent' } : { kind: 'versions', versions: [version] };
}

/** Refuses where the condition does not hold for this version; undefined means that there is no such secret. */
export function requireCondition(
  condition: WriteCondition,
  current: number | undefined,
  pointer?: string,
): void {
  if (holds(condition, current)) return;
  throw new VaultError(
    'precondition_failed',
    current === undefined
      ? 'There is no such secret (any more).'
      : 'The secret has changed since it was read, or was there already.',
    {
      facts: { current_version: current ?? null },
      ...(pointer === undefined
        ? {}
        : { errors: [{ pointer, code: 'precondition_failed', detail: 'has changed since it was read' }] }),
    },
  );
}

/** In a vault that asks for it, no change may leave open what it is meant to replace. */
export function requireStated(vault: { readonly requiresPreconditions: boolean }, condition: WriteCondition) {
  if (!vault.requiresPreconditions || condition.kind !== 'none') return;
  throw new VaultError(
    'precondition_required',
    'Changes of this vault must say what they replace: send If-Match with the version you have read, or If-None-Match: * for a new secret.',
  );
}

/** The same for many changes in one body: all that lack it are named at once, before anything is tried. */
export function requireStatedByAll(
  vault: { readonly requiresPreconditions: boolean },
  conditions: readonly WriteCondition[],
  list: string,
): void {
  if (!vault.requiresPreconditions) return;
  const errors = conditions.flatMap(({ kind }, index) =>
    kind === 'none'
      ? [{ pointer: `${list}/${index}/if_version`, code: 'missing', detail: 'is missing' }]
      : [],
  );
  if (errors.length === 0) return;
  throw new VaultError(
    'precondition_required',
    'Changes of this vault must say what they replace: give each the if_version it is meant for, 0 for a new secret.',
    { errors },
  );
}

function holds(condition: WriteCondition, current: number | undefined): boolean {
  switch (condition.kind) {
    case 'none':
      return true;
    case 'absent':
      return current === undefined;
    case 'present':
      return current !== undefined;
    case 'versions':
      return current !== undefined && condition.versions.includes(current);
    default:
      return condition satisfies never;
  }
}
