import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listen } from '@hearth/service-kit/listen';
import { createLogger } from '@hearth/service-kit/logger';
import { composeVault } from '../src/compose-vault.js';
import { readConfig, type VaultConfig } from '../src/config.js';
import { makeMasterKey } from '../src/crypto/master-key.js';
import { passphraseKeyFor } from '../src/crypto/passphrase-box.js';
import { keyFilePath } from '../src/keys/held-master-keys.js';
import { makeKeyFile } from '../src/keys/master-key-file.js';
import { startStandIn } from '../src/sign-in/start-stand-in.js';
import { createTestDatabase, type TestDatabase } from './database.js';

export interface SealableVault {
  readonly url: string;
  readonly standInUrl: string;
  readonly config: VaultConfig;
  readonly database: TestDatabase;
  readonly masterKey: Buffer;
  /** Everything logged so far, one JSON object a line. */
  logText(): string;
  close(): Promise<void>;
}

/** A vault as it is served, whose key file a passphrase seals: sealed, with stand-ins to sign in by once it is open. */
export async function startSealableVault(
  passphrase: string,
  env: NodeJS.ProcessEnv = {},
): Promise<SealableVault> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sealable-'));
  let handler: RequestListener = (_request, response) => response.writeHead(503).end();
  const { server, url } = await listen((request, response) => handler(request, response), {
    host: '127.0.0.1',
    port: 0,
  });
  const config = readConfig({
    flags: {},
    env: {
      HEARTH_VAULT_RATE_LIMITS: 'false',
      PUBLIC_URL: url,
      HEARTH_DATA: folder,
      ...env,
    },
  });
  const masterKey = makeMasterKey();
  mkdirSync(path.dirname(keyFilePath(config)));
  makeKeyFile(keyFilePath(config), [masterKey], await passphraseKeyFor(passphrase));
  let logged = '';
  const write = (line: string) => {
    logged += line;
  };
  const logger = createLogger({ name: 'vault', level: 'trace', format: 'json', destination: { write } });
  const standIn = await startStandIn({
    host: '127.0.0.1',
    port: 0,
    publicUrl: url,
    logger,
    program: new URL('../dist/stand-in/main.js', import.meta.url),
  });
  const database = await createTestDatabase();
  const vault = composeVault({
    config,
    publicUrl: url,
    providers: standIn.providers,
    db: database.db,
    logger,
  });
  handler = vault.handler;
  return {
    url,
    standInUrl: standIn.url,
    config,
    database,
    masterKey,
    logText: () => logged,
    async close() {
      server.close();
      server.closeAllConnections();
      await vault.close();
      await standIn.stop();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
