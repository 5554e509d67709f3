import type { ProviderName } from '@hearth/protocol-types/vault/provider';
import type { ProviderProfile } from '../accounts/account.js';

const idPatterns = { github: /^[1-9]\d{0,19}$/, google: /^[\x21-\x7e]{1,255}$/ } as const;
const longestName = 200;
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\p{Surrogate}/gu;

/** What a strategy hands over of the provider's answer. */
export interface StrategyProfile {
  readonly id?: unknown;
  readonly username?: unknown;
  readonly displayName?: unknown;
}

/**
 * Takes from a provider's answer the few facts that are kept. Without a proper id nobody is signed in: the GitHub
 * strategy would turn a missing one into the text "undefined", and all such people into one account.
 */
export function toProviderProfile(
  provider: ProviderName,
  profile: StrategyProfile,
): ProviderProfile | undefined {
  const id = profile.id;
  if (typeof id !== 'string' || !idPatterns[provider].test(id)) return undefined;
  const username = plainText(profile.username);
  return {
    provider,
    providerUserId: id,
    username,
    displayName: plainText(profile.displayName) ?? username ?? `${provider} ${id}`.slice(0, longestName),
  };
}

function plainText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = [...value.normalize('NFC').replace(invisible, '').trim()].slice(0, longestName).join('');
  return text === '' ? undefined : text;
}
