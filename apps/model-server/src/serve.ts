import { isIP } from 'node:net';
import path from 'node:path';
import { anyVerifier } from '@hearth/auth-middleware/any-verifier';
import { singleKeyVerifier } from '@hearth/auth-middleware/single-key-verifier';
import type { TokenVerifier } from '@hearth/auth-middleware/token-verifier';
import { vaultTokenVerifier } from '@hearth/auth-middleware/vault-token-verifier';
import { ensureWritableFolder } from '@hearth/service-kit/data-folder';
import { createShutdown, stopOnSignals } from '@hearth/service-kit/graceful-shutdown';
import { defaultServerLimits, listen } from '@hearth/service-kit/listen';
import { createLogger } from '@hearth/service-kit/logger';
import { packageVersion } from '@hearth/service-kit/package-version';
import { announceReady } from '@hearth/service-kit/parent-process';
import type { ModelServerConfig } from './config.js';
import { createApp } from './create-app.js';
import { createEngine } from './engine/create-engine.js';
import { engineSettingsOf } from './engine-flags.js';
import { openModelLibrary } from './models/open-model-library.js';

/** Composes the server from its settings and runs it until a stop signal. */
export async function serve(config: ModelServerConfig): Promise<void> {
  const logger = createLogger({ name: 'model-server', level: config.logLevel, format: config.logFormat });
  ensureWritableFolder(config.dataFolder);
  const library = openModelLibrary({
    storeFolder: config.modelStore ?? path.join(config.dataFolder, 'models'),
    linksFolder: path.join(config.dataFolder, 'shards'),
    modelFolders: config.modelFolders,
    hubCacheFolder: config.hubCache,
    bundledModelPath: config.bundledModel,
    hub: { endpoint: config.hubEndpoint, token: config.hubToken },
    registryAuthFile: config.registryAuthFile,
    proxies: {
      http: config.httpProxy,
      https: config.httpsProxy,
      all: config.allProxy,
      direct: config.noProxy,
    },
    userAgent: `hearth/${packageVersion(new URL('../package.json', import.meta.url))}`,
    logger,
  });
  const { catalogue } = library;
  void library
    .tidy(new Date())
    .catch((error) => logger.warn({ err: error }, 'the model store was not tidied'));
  const engine = createEngine({ models: catalogue, settings: engineSettingsOf(config), logger });
  const verifier = verifierOf(config);
  const app = createApp({
    catalogue,
    library,
    generator: engine,
    engineFigures: () => engine.stats(),
    ...(verifier === undefined ? {} : { verifier }),
    logger,
    readiness: { models: async () => void (await catalogue.list()) },
    maxBodyBytes: config.maxBodyMegabytes * 1024 * 1024,
    origins: config.origins,
    checkHost: isLoopback(config.host),
  });
  // The app itself watches bodies: a model may take longer to upload than any one limit for all.
  const { server, url } = await listen(
    app,
    { host: config.host, port: config.port, portVariable: 'HEARTH_PORT' },
    { ...defaultServerLimits, requestTimeoutMs: 0 },
  );
  if (verifier === undefined && !isLoopback(config.host)) {
    logger.warn(
      { host: config.host },
      'OPEN TO THE NETWORK WITHOUT A KEY: anyone who reaches this address may use the models; set HEARTH_API_KEY',
    );
  }
  logger.info({ url, auth: verifier === undefined ? 'off' : 'on' }, `listening on ${url}`);
  stopOnSignals(
    createShutdown({
      server,
      graceSeconds: config.graceSeconds,
      logger,
      closers: [() => engine.close(), async () => library.close()],
    }),
  );
  announceReady(url);
}

/** The one key, the tokens of a vault, or both; nothing where neither is set. */
function verifierOf({ apiKey, vaultUrl }: ModelServerConfig): TokenVerifier | undefined {
  const verifiers = [
    ...(apiKey === undefined ? [] : [singleKeyVerifier(apiKey)]),
    ...(vaultUrl === undefined ? [] : [vaultTokenVerifier({ url: vaultUrl })]),
  ];
  return verifiers.length === 0 ? undefined : anyVerifier(verifiers);
}

function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}
