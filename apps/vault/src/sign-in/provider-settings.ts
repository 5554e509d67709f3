import type { ProviderName } from '@hearth/protocol-types/vault/provider';

/** All that is needed to send people to one identity provider and to ask it who they are. */
export interface ProviderSettings {
  readonly name: ProviderName;
  readonly label: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly profileUrl: string;
  /** Whom the provider names as the sender when it sends people back, where it does (RFC 9207). */
  readonly issuer: string | undefined;
  readonly isStandIn: boolean;
}

export interface ProviderCredentials {
  readonly githubClientId: string | undefined;
  readonly githubClientSecret: string | undefined;
  readonly githubOauthBase: string;
  readonly githubApiBase: string;
  readonly googleClientId: string | undefined;
  readonly googleClientSecret: string | undefined;
  readonly googleOauthBase: string | undefined;
}

/** The providers that have credentials. Another one is neither shown nor reachable. */
export function configuredProviders(config: ProviderCredentials): ProviderSettings[] {
  const providers: ProviderSettings[] = [];
  if (config.githubClientId !== undefined && config.githubClientSecret !== undefined) {
    providers.push(
      githubProvider({
        clientId: config.githubClientId,
        clientSecret: config.githubClientSecret,
        oauthBase: config.githubOauthBase,
        apiBase: config.githubApiBase,
        isStandIn: false,
      }),
    );
  }
  if (config.googleClientId !== undefined && config.googleClientSecret !== undefined) {
    providers.push(
      googleProvider({
        clientId: config.googleClientId,
        clientSecret: config.googleClientSecret,
        base: config.googleOauthBase,
        isStandIn: false,
      }),
    );
  }
  return providers;
}

interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly isStandIn: boolean;
}

export function githubProvider(client: Client & { oauthBase: string; apiBase: string }): ProviderSettings {
  const { oauthBase, apiBase, ...rest } = client;
  // GitHub Enterprise has its API on a path of the same host.
  const api = apiBase === oauthBase && !client.isStandIn ? `${apiBase}/api/v3` : apiBase;
  return {
    ...rest,
    name: 'github',
    label: 'GitHub',
    authorizationUrl: `${oauthBase}/login/oauth/authorize`,
    tokenUrl: `${oauthBase}/login/oauth/access_token`,
    profileUrl: `${api}/user`,
    issuer: undefined,
  };
}

export function googleProvider(client: Client & { base: string | undefined }): ProviderSettings {
  const { base, ...rest } = client;
  return {
    ...rest,
    name: 'google',
    label: 'Google',
    authorizationUrl: `${base ?? 'https://accounts.google.com'}/o/oauth2/v2/auth`,
    tokenUrl: `${base ?? 'https://oauth2.googleapis.com'}/token`,
    profileUrl: `${base ?? 'https://openidconnect.googleapis.com'}/v1/userinfo`,
    issuer: base ?? 'https://accounts.google.com',
  };
}
