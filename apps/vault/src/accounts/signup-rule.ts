import type { ProviderProfile } from './account.js';
import { isListedLogin } from './listed-login.js';

/**
 * Who may make an account by signing in for the first time. `first` lets the very first login own the vault and
 * asks the allow list from then on.
 */
export type SignupRule =
  | { readonly kind: 'open' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'allowlist' | 'first'; readonly logins: readonly string[] };

export interface SignupSettings {
  readonly signups: 'open' | 'closed' | 'allowlist' | undefined;
  readonly allowedLogins: readonly string[];
  /** Whether browsers reach the vault on this machine only. */
  readonly loopback: boolean;
}

export function signupRuleOf({ signups, allowedLogins, loopback }: SignupSettings): SignupRule {
  if (signups === 'open' || signups === 'closed') return { kind: signups };
  if (signups === 'allowlist') return { kind: 'allowlist', logins: allowedLogins };
  if (loopback) return { kind: 'open' };
  return { kind: allowedLogins.length > 0 ? 'allowlist' : 'first', logins: allowedLogins };
}

export function maySignUp(rule: SignupRule, profile: ProviderProfile, accounts: number): boolean {
  switch (rule.kind) {
    case 'open':
      return true;
    case 'closed':
      return false;
    case 'first':
      return accounts === 0 || isListedLogin(rule.logins, profile);
    case 'allowlist':
      return isListedLogin(rule.logins, profile);
    default:
      return rule satisfies never;
  }
}
