import { VaultError } from '../errors/vault-error.js';
import type { Caller } from './caller.js';

/** A vault and its list of environments hold more than a token may touch that is limited to some of them. */
export function requireEveryEnvironment({ environments }: Caller): void {
  if (environments === null) return;
  throw new VaultError(
    'forbidden',
    'This token is limited to certain environments: it cannot change vaults or their environments.',
  );
}

/** What is about the whole account is not for a token that is limited to a part of it, whatever its scopes. */
export function requireWholeAccount({ vaultIds, environments }: Caller, deed: string): void {
  if (vaultIds === null && environments === null) return;
  throw new VaultError(
    'forbidden',
    `This token is limited to certain vaults or environments: it cannot ${deed}.`,
  );
}
