import passport from 'passport';
import { createStrategy, type StrategyParts } from './create-strategies.js';
import type { ProviderSettings } from './provider-settings.js';

export type SignInPassport = InstanceType<typeof passport.Passport>;

/** A Passport of our own with one strategy for each provider. It keeps no sessions: those are ours. */
export function configurePassport(
  providers: readonly ProviderSettings[],
  parts: StrategyParts,
): SignInPassport {
  const own = new passport.Passport();
  for (const provider of providers) own.use(provider.name, createStrategy(provider, parts));
  return own;
}
