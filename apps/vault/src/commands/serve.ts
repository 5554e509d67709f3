import type { RequestListener } from 'node:http';
import { createShutdown, stopOnSignals } from '@hearth/service-kit/graceful-shutdown';
import { listen } from '@hearth/service-kit/listen';
import { createLogger } from '@hearth/service-kit/logger';
import { announceReady } from '@hearth/service-kit/parent-process';
import { composeServices } from '../compose-services.js';
import { isLoopbackHost } from '../config/loopback.js';
import { publicUrlOf } from '../config/public-url.js';
import type { VaultConfig } from '../config.js';
import { openDatabase } from '../db/open-database.js';
import { startHousekeeping } from '../housekeeping.js';
import { serverLimits } from '../http/limits.js';
import { startingHandler } from '../http/starting-handler.js';
import { loadMasterKeys } from '../keys/load-master-keys.js';
import { chooseProviders } from '../sign-in/choose-providers.js';

/** Runs the vault until a signal stops it. */
export async function serve(config: VaultConfig): Promise<void> {
  const logger = createLogger({ name: 'vault', level: config.logLevel, format: config.logFormat });
  // The port is taken first: where it is busy, nothing else has been started and there is nothing to undo.
  let handler: RequestListener = startingHandler;
  const { server, url } = await listen(
    (request, response) => handler(request, response),
    config,
    serverLimits,
  );
  const closers: (() => Promise<void>)[] = [];
  const shutdown = createShutdown({ server, graceSeconds: config.graceSeconds, logger, closers });
  stopOnSignals(shutdown);
  try {
    const database = await openDatabase({ ...config, poolSize: config.databasePoolSize, logger });
    closers.push(database.close);
    const publicUrl = publicUrlOf(config.publicUrl, config.host, Number(new URL(url).port));
    const masterKeys = loadMasterKeys(config, logger);
    const { providers, close } = await chooseProviders(config, publicUrl, logger);
    closers.unshift(close);
    const services = composeServices({ config, publicUrl, providers, db: database.db, masterKeys, logger });
    await services.domain.keys.prepare();
    closers.unshift(startHousekeeping(services.housekeeping, logger), services.domain.tokenUsage.settled);
    handler = services.app;
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
