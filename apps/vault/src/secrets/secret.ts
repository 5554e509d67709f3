/** Where a secret stands: the four together are unique among those not in the trash. */
export interface SecretPlace {
  readonly vaultId: string;
  readonly environmentId: string;
  readonly path: string;
  readonly key: string;
}

/** A place within one vault. */
export type SpotInVault = Omit<SecretPlace, 'vaultId'>;

/** Everything about a secret but its value. */
export interface Secret extends SecretPlace {
  readonly id: string;
  /** The slug of its environment. */
  readonly environment: string;
  readonly note: string | null;
  readonly tags: readonly string[];
  readonly version: number;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

/** What a write may change beside the value: left out stays, null clears. */
export interface SecretDetails {
  readonly note?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly expiresAt?: Date | null | undefined;
}

export type VersionSource = 'write' | 'rollback' | 'import' | 'rewrap';

/** One value of a secret, sealed. */
export interface SealedVersion {
  readonly secretId: string;
  readonly version: number;
  readonly vaultKeyId: string;
  /** Null once destroyed. */
  readonly ciphertext: Buffer | null;
  readonly valueMac: Buffer | null;
  readonly createdByKind: 'user' | 'token' | 'system';
  readonly createdById: string | null;
  readonly source: VersionSource;
  readonly restoredFrom: number | null;
  readonly createdAt: Date;
  readonly destroyedAt: Date | null;
}

export interface SecretFilter {
  readonly vaultId: string;
  /** Slugs; null: every environment. */
  readonly environments: readonly string[] | null;
  /** This folder and those below it. */
  readonly below?: string | undefined;
  /** Exactly this folder. */
  readonly path?: string | undefined;
  readonly search?: string | undefined;
  readonly tag?: string | undefined;
  readonly trash: boolean;
}

/** Where a page of secrets ended. */
export type SecretPosition = readonly [
  position: number,
  environment: string,
  path: string,
  key: string,
  id: string,
];

export interface ListedSecret extends Secret {
  readonly environmentPosition: number;
}
