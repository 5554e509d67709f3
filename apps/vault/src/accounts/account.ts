import type { ProviderName } from '@hearth/protocol-types/vault/provider';

export interface Account {
  readonly id: string;
  readonly displayName: string;
  readonly createdAt: Date;
  readonly disabledAt: Date | undefined;
}

export interface Identity {
  readonly id: string;
  readonly userId: string;
  readonly provider: ProviderName;
  readonly providerUserId: string;
  readonly username: string | undefined;
  readonly createdAt: Date;
  readonly lastLoginAt: Date | undefined;
}

/** What a provider says of the person who signed in. Nothing else of its answer is kept. */
export interface ProviderProfile {
  readonly provider: ProviderName;
  /** The provider's own id of the account: the only thing a login is recognised by. */
  readonly providerUserId: string;
  readonly username: string | undefined;
  readonly displayName: string;
}
