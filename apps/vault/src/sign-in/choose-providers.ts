import type { Logger } from '@hearth/service-kit/logger';
import { isLoopbackUrl } from '../config/loopback.js';
import type { VaultConfig } from '../config.js';
import { configuredProviders, type ProviderSettings } from './provider-settings.js';
import { startStandIn } from './start-stand-in.js';

export interface ChosenProviders {
  readonly providers: readonly ProviderSettings[];
  close(): Promise<void>;
}

/**
 * The providers of the settings; only where there are none, and browsers reach the vault on this machine alone, the
 * stand-ins if they are wanted. Anywhere else they do not exist.
 */
export async function chooseProviders(
  config: VaultConfig,
  publicUrl: string,
  logger: Logger,
): Promise<ChosenProviders> {
  const configured = configuredProviders(config);
  const none = { providers: configured, close: async () => undefined };
  if (configured.length > 0) return none;
  if (!config.standIn || !isLoopbackUrl(publicUrl)) {
    logger.warn('nobody can sign in: set GITHUB_CLIENT_ID and its secret, or those of Google');
    return none;
  }
  const standIn = await startStandIn({
    host: config.standInHost,
    port: config.standInPort,
    publicUrl,
    logger,
  });
  logger.warn({ url: standIn.url }, 'LOCAL STAND-IN sign-in: anybody on this machine can sign in as anybody');
  return { providers: standIn.providers, close: standIn.stop };
}
