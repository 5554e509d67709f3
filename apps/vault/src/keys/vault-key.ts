import type { DataKey } from '../crypto/data-key.js';

/** A data key of a vault as the database holds it. */
export interface WrappedVaultKey {
  readonly id: string;
  readonly vaultId: string;
  readonly version: number;
  readonly masterKeyId: string;
  /** Null once destroyed. */
  readonly wrapped: Buffer | null;
}

/** The same, opened: only ever in memory. */
export interface VaultKey {
  readonly id: string;
  readonly vaultId: string;
  readonly dataKey: DataKey;
}

export interface KnownMasterKey {
  readonly id: string;
  readonly fingerprint: Buffer;
  readonly state: 'active' | 'retired';
}
