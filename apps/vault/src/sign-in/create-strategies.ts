import type { ProviderName } from '@hearth/protocol-types/vault/provider';
import type { Strategy } from 'passport';
import { type StrategyOptions as GithubOptions, Strategy as GithubStrategy } from 'passport-github2';
import { type StrategyOptions as GoogleOptions, Strategy as GoogleStrategy } from 'passport-google-oauth20';
import type { VerifyCallback } from 'passport-oauth2';
import type { FlowCookies } from './flow-cookie.js';
import { boundProviderCalls } from './provider-calls.js';
import { type StrategyProfile, toProviderProfile } from './provider-profile.js';
import type { ProviderSettings } from './provider-settings.js';
import { createStateStore } from './state-store.js';

export interface StrategyParts {
  readonly publicUrl: string;
  readonly flows: FlowCookies;
  readonly timeoutMs: number;
}

export function callbackPath(provider: ProviderName): string {
  return `/auth/${provider}/callback`;
}

/** Passport's strategy for a provider, with its gaps closed. */
export function createStrategy(provider: ProviderSettings, parts: StrategyParts): Strategy {
  const options = {
    clientID: provider.clientId,
    clientSecret: provider.clientSecret,
    authorizationURL: provider.authorizationUrl,
    tokenURL: provider.tokenUrl,
    userProfileURL: provider.profileUrl,
    // Absolute and from the settings: a relative one would be resolved from headers that the caller sends.
    callbackURL: `${parts.publicUrl}${callbackPath(provider.name)}`,
    pkce: true,
    store: createStateStore(provider.name, parts.flows),
    // The default key is the host name, and one host may serve both providers.
    sessionKey: `oauth2:${provider.name}`,
  };
  // The tokens of the provider have done their work with the profile and are dropped here.
  const verify = (_access: string, _refresh: string, profile: StrategyProfile, done: VerifyCallback) =>
    done(null, toProviderProfile(provider.name, profile) ?? false);
  switch (provider.name) {
    case 'github':
      // No scope at all: public facts are enough, and e-mail addresses play no part.
      return new BoundGithubStrategy({ ...options, userAgent: 'hearth-vault' }, verify, parts.timeoutMs);
    case 'google':
      return new BoundGoogleStrategy({ ...options, scope: ['openid', 'profile'] }, verify, parts.timeoutMs);
    default:
      return provider.name satisfies never;
  }
}

type Verify = (access: string, refresh: string, profile: StrategyProfile, done: VerifyCallback) => void;

class BoundGithubStrategy extends GithubStrategy {
  constructor(options: GithubOptions, verify: Verify, timeoutMs: number) {
    super(options, verify);
    boundProviderCalls(this._oauth2, timeoutMs);
  }
}

class BoundGoogleStrategy extends GoogleStrategy {
  constructor(options: GoogleOptions, verify: Verify, timeoutMs: number) {
    super(options, verify);
    boundProviderCalls(this._oauth2, timeoutMs);
  }
}
