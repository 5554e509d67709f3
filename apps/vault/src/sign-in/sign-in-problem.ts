import { type RefusalReason, SignInRefused } from '../accounts/sign-in-refused.js';
import { ProviderCallError } from './provider-calls.js';

/** What the sign-in page may be told, as a closed list: nothing that a provider or a caller wrote reaches it. */
export type SignInProblem =
  | 'cancelled'
  | 'expired'
  | 'provider'
  | 'provider-timeout'
  | 'not-allowed'
  | 'account-disabled'
  | 'identity-taken'
  | 'sign-in-again';

const refusals: Readonly<Record<RefusalReason, SignInProblem>> = {
  'signups-closed': 'not-allowed',
  'account-disabled': 'account-disabled',
  'identity-taken': 'identity-taken',
  'session-not-fresh': 'sign-in-again',
};

/** Nothing for what is not a problem of the sign-in: our own faults go to the error handler. */
export function problemOfRefusal(error: unknown): SignInProblem | undefined {
  return error instanceof SignInRefused ? refusals[error.reason] : undefined;
}

export function problemOfProviderError(error: unknown): SignInProblem {
  const inner = (error as { oauthError?: unknown } | undefined)?.oauthError ?? error;
  return inner instanceof ProviderCallError && inner.problem === 'timeout' ? 'provider-timeout' : 'provider';
}
