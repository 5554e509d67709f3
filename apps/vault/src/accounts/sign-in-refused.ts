export type RefusalReason = 'signups-closed' | 'account-disabled' | 'identity-taken' | 'session-not-fresh';

/** The provider vouched for the person and we still say no. The sign-in pages show why. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';

  constructor(readonly reason: RefusalReason) {
    super(`sign-in refused: ${reason}`);
  }
}
