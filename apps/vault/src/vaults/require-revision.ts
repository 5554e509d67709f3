import { VaultError } from '../errors/vault-error.js';

/** Refuses where a vault is no longer at the revision that a change was meant for. */
export function requireRevision(wanted: number, current: number): void {
  if (wanted === current) return;
  throw new VaultError('precondition_failed', 'The vault has changed since it was read.', {
    facts: { current_revision: current },
  });
}
