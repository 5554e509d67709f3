import { createLogger } from '@hearth/service-kit/logger';
import type { Express } from 'express';
import { composeServices } from '../src/compose-services.js';
import { readConfig } from '../src/config.js';
import { createTestDatabase, type TestDatabase } from './database.js';

export interface TestApp {
  readonly app: Express;
  readonly database: TestDatabase;
  /** Everything the app has logged so far, one JSON object a line. */
  logText(): string;
  close(): Promise<void>;
}

export const testPublicUrl = 'http://127.0.0.1:3999';

/** The whole application, as composed for production, on a database of its own. */
export async function createTestApp(env: NodeJS.ProcessEnv = {}): Promise<TestApp> {
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
  const { app } = composeServices({
    config,
    publicUrl: config.publicUrl ?? testPublicUrl,
    db: database.db,
    logger,
  });
  return { app, database, logText: () => logged, close: () => database.close() };
}
