import { createHmac, hkdfSync } from 'node:crypto';
import type { MasterKey } from './master-key.js';

/** One key for each purpose, so that what one part learns is of no use to another. */
export interface DerivedKeys {
  /** Names this master key in the database without telling anything about it. */
  readonly id: string;
  readonly fingerprint: Buffer;
  /** Wraps the data keys of vaults. */
  readonly wrap: Buffer;
  /** Seals cookies that carry state through a sign-in. */
  readonly cookie: Buffer;
  /** Signs paging cursors. */
  readonly cursor: Buffer;
  /** Seals backup files. */
  readonly backup: Buffer;
  /** Seals stored answers that wait for a repeated request. */
  readonly replay: Buffer;
  /** Recognises a repeated request without keeping what it said. */
  readonly repeat: Buffer;
}

export function deriveKeys(master: MasterKey): DerivedKeys {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', master, '', `hearth-vault/1/${purpose}`, 32));
  const fingerprint = createHmac('sha256', derive('check')).update('master').digest();
  return {
    id: `mk_${fingerprint.toString('hex').slice(0, 16)}`,
    fingerprint,
    wrap: derive('wrap'),
    cookie: derive('cookie'),
    cursor: derive('cursor'),
    backup: derive('backup'),
    replay: derive('replay'),
    repeat: derive('repeat'),
  };
}
