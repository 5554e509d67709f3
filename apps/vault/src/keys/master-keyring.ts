import { type DerivedKeys, deriveKeys } from '../crypto/derive-keys.js';
import type { MasterKey } from '../crypto/master-key.js';

/** The master keys this process holds: the one that seals, and earlier ones that may still open. */
export interface MasterKeyring {
  readonly active: DerivedKeys;
  readonly all: readonly DerivedKeys[];
  find(id: string): DerivedKeys | undefined;
}

export function createKeyring(active: MasterKey, retired: readonly MasterKey[]): MasterKeyring {
  const all = [active, ...retired].map(deriveKeys);
  return { active: all[0] as DerivedKeys, all, find: (id) => all.find((keys) => keys.id === id) };
}
