import { type DerivedKeys, deriveKeys } from '../crypto/derive-keys.js';
import type { MasterKey } from '../crypto/master-key.js';
import { VaultError } from '../errors/vault-error.js';

/**
 * The master keys this process holds: the one that seals, and earlier ones that may still open. Ask for a key in the
 * moment it is used: a keyring that was wiped has none, and says so instead of giving out zeros.
 */
export interface MasterKeyring {
  readonly active: DerivedKeys;
  readonly all: readonly DerivedKeys[];
  find(id: string): DerivedKeys | undefined;
  /** Overwrites every key. Whoever asks from then on is told that the vault is sealed. */
  wipe(): void;
}

export function createKeyring(active: MasterKey, retired: readonly MasterKey[]): MasterKeyring {
  let keys: readonly DerivedKeys[] | undefined = [active, ...retired].map(deriveKeys);
  const held = () => {
    if (keys === undefined) throw new VaultError('sealed');
    return keys;
  };
  return {
    get active() {
      return held()[0] as DerivedKeys;
    },
    get all() {
      return held();
    },
    find: (id) => held().find((key) => key.id === id),
    wipe() {
      for (const { wrap, cookie, cursor, backup, replay, repeat } of keys ?? []) {
        for (const key of [wrap, cookie, cursor, backup, replay, repeat]) key.fill(0);
      }
      keys = undefined;
    },
  };
}
