import type { RequestListener } from 'node:http';
import { StartupError } from '@hearth/service-kit/startup-error';
import { type ComposeOptions, composeServices } from './compose-services.js';
import { checkDatabase } from './db/check-database.js';
import { startHousekeeping } from './housekeeping.js';
import { keyFilePath } from './keys/held-master-keys.js';
import { type LoadedMasterKeys, loadMasterKeys } from './keys/load-master-keys.js';
import { isKeyFileSealed, unlockKeyFile } from './keys/unlock-key-file.js';
import { createSealedApp } from './seal/sealed-app.js';
import { createVaultSwitch, type OpenVault, type VaultSwitch } from './seal/vault-switch.js';
import { loadGitHubKeys } from './tokens/load-github-keys.js';

export interface Vault extends Pick<VaultSwitch, 'open' | 'close'> {
  /** Sealed until it is opened, from outside or with keys that are there at the start. */
  readonly handler: RequestListener;
}

/** The vault as it is served: the sealed one and the open one, of which one answers at a time. */
export function composeVault(options: Omit<ComposeOptions, 'masterKeys' | 'seal' | 'githubKeys'>): Vault {
  const { config, publicUrl, db, logger } = options;
  // Here, so that a file that cannot be read stops the start, and not somebody who unseals the vault much later.
  const githubKeys = loadGitHubKeys(config.githubLeakKeysFile);

  async function open(masterKeys: LoadedMasterKeys): Promise<OpenVault> {
    const { app, domain, housekeeping } = composeServices({
      ...options,
      masterKeys,
      seal: vault,
      githubKeys,
    });
    await domain.keys.prepare();
    const stopHousekeeping = startHousekeeping(housekeeping, logger);
    return {
      handler: app,
      audit: domain.audit,
      async close() {
        await stopHousekeeping();
        await domain.tokenUsage.settled();
      },
    };
  }

  /** Anybody can send a passphrase: it opens the sealed key file, and neither makes one nor opens what has no seal. */
  async function unlock(passphrase: string): Promise<LoadedMasterKeys> {
    const file = keyFilePath(config);
    if (!isKeyFileSealed(config)) {
      throw new StartupError(
        `${file} is not there or has no seal any more; start the vault again once it is right`,
      );
    }
    return loadMasterKeys(
      { ...config, masterKeyFile: file },
      logger,
      await unlockKeyFile(config, passphrase),
    );
  }

  const vault = createVaultSwitch({
    unlock,
    open,
    canUnseal: () => isKeyFileSealed(config),
    logger,
  });
  const sealed = createSealedApp({
    logger,
    publicUrl,
    trustedProxies: config.trustedProxies,
    rateLimits: config.rateLimits,
    checkDatabase: () => checkDatabase(db),
    unseal: vault.unseal,
  });
  return {
    open: vault.open,
    close: vault.close,
    handler: (request, response) => (vault.handler() ?? sealed)(request, response),
  };
}
