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
  /** Whether a change of a secret must say what it replaces. */
  readonly requiresPreconditions: boolean;
  /** Grows with every change inside the vault. */
  readonly revision: number;
  readonly updatedAt: Date;
}

/** What is left out stays. */
export interface VaultChange {
  readonly name?: string | undefined;
  readonly requiresPreconditions?: boolean | undefined;
}

/** Where a page of vaults ended: they are listed by age. */
export interface VaultPosition {
  readonly createdAt: Date;
  readonly id: string;
}

export const firstEnvironments = ['dev', 'staging', 'prod'] as const;
