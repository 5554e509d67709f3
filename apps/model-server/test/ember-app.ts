import { createLogger } from '@hearth/service-kit/logger';
import type { Express } from 'express';
import { createEngine, type Engine } from '../src/engine/create-engine.js';
import { defaultEngineSettings } from '../src/engine/engine-settings.js';
import { catalogueOf, createTestApp, testModel } from './create-test-app.js';
import { emberPath } from './engine-fixture.js';

/** The whole app over a real engine with the bundled model, on one thread. Whoever opens it closes the engine. */
export function openEmberApp(): { app: Express; engine: Engine } {
  const catalogue = catalogueOf({ ...testModel, ggufPath: emberPath });
  const engine = createEngine({
    models: catalogue,
    settings: { ...defaultEngineSettings, threads: 1, contextLength: 1024, gpu: 'off' },
    logger: createLogger({ name: 'test', level: 'silent', format: 'json' }),
  });
  return { app: createTestApp({ catalogue, generator: engine }).app, engine };
}
