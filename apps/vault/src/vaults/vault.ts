/** What a list says of a vault. */
export interface ListedVault {
  readonly id: string;
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly createdAt: Date;
}

export interface Vault extends ListedVault {
  readonly ownerId: string;
  readonly isPersonal: boolean;
  /** Grows with every change inside the vault. */
  readonly revision: number;
  readonly updatedAt: Date;
}

/** Where a page of vaults ended: they are listed by age. */
export interface VaultPosition {
  readonly createdAt: Date;
  readonly id: string;
}

export const firstEnvironments = ['dev', 'staging', 'prod'] as const;
