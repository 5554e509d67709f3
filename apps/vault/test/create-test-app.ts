import { createLogger } from '@hearth/service-kit/logger';
import { composeServices, type Services } from '../src/compose-services.js';
import { readConfig } from '../src/config.js';
import type { VaultSeal } from '../src/seal/vault-seal.js';
import type { ProviderSettings } from '../src/sign-in/provider-settings.js';
import { loadGitHubKeys } from '../src/tokens/load-github-keys.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { fixedKeys } from './domain.js';

export interface TestApp extends Services {
  readonly database: TestDatabase;
  /** Everything the app has logged so far, one JSON object a line. */
  logText(): string;
  close(): Promise<void>;
}

export const testPublicUrl = 'http://127.0.0.1:3999';

/** The whole application, as composed for production, on a database of its own. */
export async function createTestApp(
  env: NodeJS.ProcessEnv = {},
  options: { providers?: readonly ProviderSettings[]; seal?: VaultSeal } = {},
): Promise<TestApp> {
  const database = await createTestDatabase();
  let logged = '';
  const logger = createLogger({
    name: 'vault',
    level: 'trace',
    format: 'json',
    destination: {
      write(line: string) {
        logged += line;
      },
    },
  });
  const config = readConfig({ flags: {}, env: { HEARTH_DATA: '/nonexistent', ...env } });
  const services = composeServices({
    config,
    providers: options.providers ?? [],
    masterKeys: fixedKeys(),
    githubKeys: loadGitHubKeys(config.githubLeakKeysFile),
    seal: options.seal ?? { canUnseal: () => false, seal: () => undefined },
    publicUrl: config.publicUrl ?? testPublicUrl,
    db: database.db,
    logger,
  });
  await services.domain.keys.prepare();
  return { ...services, database, logText: () => logged, close: () => database.close() };
}
