export interface Vault {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  readonly isPersonal: boolean;
  readonly isEncrypted: boolean;
  /** Grows with every change inside the vault. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Where a page of vaults ended: they are listed by age. */
export interface VaultPosition {
  readonly createdAt: Date;
  readonly id: string;
}

export const firstEnvironments = ['dev', 'staging', 'prod'] as const;
