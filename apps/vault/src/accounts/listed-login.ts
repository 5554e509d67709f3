import type { ProviderProfile } from './account.js';

/** A GitHub name is compared without regard to case, as GitHub does; an id must say that it is one, as names can be digits. */
export function isListedLogin(
  logins: readonly string[],
  { provider, providerUserId, username }: Pick<ProviderProfile, 'provider' | 'providerUserId' | 'username'>,
): boolean {
  return logins.some((login) => {
    if (provider === 'google') return login === `google:${providerUserId}`;
    if (login === `github:id:${providerUserId}`) return true;
    return username !== undefined && login.toLowerCase() === `github:${username.toLowerCase()}`;
  });
}
