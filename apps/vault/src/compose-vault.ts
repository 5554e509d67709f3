import type { RequestListener } from 'node:http';
import { type ComposeOptions, composeServices } from './compose-services.js';
import { checkDatabase } from './db/check-database.js';
import { startHousekeeping } from './housekeeping.js';
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

  const vault = createVaultSwitch({
    unlock: async (passphrase) => loadMasterKeys(config, logger, await unlockKeyFile(config, passphrase)),
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
