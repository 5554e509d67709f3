import type { RequestListener } from 'node:http';
import { createShutdown, stopOnSignals } from '@hearth/service-kit/graceful-shutdown';
import { listen } from '@hearth/service-kit/listen';
import { createLogger, type Logger } from '@hearth/service-kit/logger';
import { announceReady } from '@hearth/service-kit/parent-process';
import { composeVault, type Vault } from '../compose-vault.js';
import { isLoopbackHost } from '../config/loopback.js';
import { publicUrlOf } from '../config/public-url.js';
import type { VaultConfig } from '../config.js';
import { openDatabase } from '../db/open-database.js';
import { serverLimits } from '../http/limits.js';
import { startingHandler } from '../http/starting-handler.js';
import { keyFilePath } from '../keys/held-master-keys.js';
import { loadMasterKeys } from '../keys/load-master-keys.js';
import { isKeyFileSealed } from '../keys/unlock-key-file.js';
import { chooseProviders } from '../sign-in/choose-providers.js';
import { givenPassphrase, unlockOrExplain } from './file-key.js';

/** Runs the vault until a signal stops it. */
export async function serve(config: VaultConfig): Promise<void> {
  const logger = createLogger({ name: 'vault', level: config.logLevel, format: config.logFormat });
  const passphrase = await givenPassphrase(config);
  // The port is taken first: where it is busy, nothing else has been started and there is nothing to undo.
  let handler: RequestListener = startingHandler;
  const { server, url } = await listen(
    (request, response) => handler(request, response),
    { host: config.host, port: config.port, portVariable: 'HEARTH_VAULT_PORT' },
    serverLimits,
  );
  const closers: (() => Promise<void>)[] = [];
  const shutdown = createShutdown({ server, graceSeconds: config.graceSeconds, logger, closers });
  stopOnSignals(shutdown);
  try {
    const database = await openDatabase({ ...config, poolSize: config.databasePoolSize, logger });
    closers.push(database.close);
    const publicUrl = publicUrlOf(config.publicUrl, config.host, Number(new URL(url).port));
    const { providers, close } = await chooseProviders(config, publicUrl, logger);
    closers.unshift(close);
    const vault = composeVault({ config, publicUrl, providers, db: database.db, logger });
    closers.unshift(vault.close);
    await openIfPossible(vault, config, passphrase, logger);
    handler = vault.handler;
    if (!isLoopbackHost(config.host) && config.publicUrl === undefined) {
      logger.warn('listening beyond this machine without PUBLIC_URL: sign-in works from this machine only');
    }
    logger.info({ url, public_url: publicUrl }, `listening on ${url}`);
    announceReady(url);
  } catch (error) {
    server.close();
    server.closeAllConnections();
    for (const close of closers) await close();
    throw error;
  }
}

/** A sealed key file without its passphrase is no fault: somebody will come and unseal the vault. */
async function openIfPossible(
  vault: Vault,
  config: VaultConfig,
  passphrase: string | undefined,
  logger: Logger,
): Promise<void> {
  if (passphrase === undefined && isKeyFileSealed(config)) {
    logger.warn('sealed: open the vault in a browser and give the passphrase, or POST it to /api/sys/unseal');
    return;
  }
  const fileKey = passphrase === undefined ? undefined : await unlockOrExplain(config, passphrase);
  if (passphrase !== undefined && fileKey === undefined) {
    logger.warn(
      `${keyFilePath(config)} is not sealed, and the passphrase is of no use: seal it with hearth-vault seal-key`,
    );
  }
  await vault.open(loadMasterKeys(config, logger, fileKey));
}
