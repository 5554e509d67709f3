import { createLogger } from '@hearth/service-kit/logger';
import type { Express } from 'express';
import { createApp, type ModelServerParts } from '../src/create-app.js';
import { ModelCatalogue } from '../src/models/model-catalogue.js';
import type { ModelEntry } from '../src/models/model-entry.js';
import { modelNameKey, parseModelName } from '../src/models/model-name.js';
import { finishEvent, scriptedGenerator, startEvent, textEvents } from './scripted-generator.js';

export const testModel: ModelEntry = {
  name: 'ember:latest',
  origin: 'bundled',
  sizeBytes: 15_465_728,
  modifiedAt: new Date('2026-11-01T12:00:00.000Z'),
  digest: 'a'.repeat(64),
  details: {
    format: 'gguf',
    family: 'llama',
    families: ['llama'],
    parameterSize: '14.4M',
    quantizationLevel: 'Q8_0',
    contextLength: 2048,
    embeddingLength: 384,
  },
  capabilities: ['completion', 'tools', 'thinking'],
  ggufPath: '/models/ember.gguf',
  template: undefined,
  chatTemplate: undefined,
  system: undefined,
  licenses: [],
  parameters: {},
  messages: [],
  parentModel: '',
};

/** A catalogue of the given entries, as if each were a file. */
export function catalogueOf(...entries: readonly ModelEntry[]): ModelCatalogue {
  return new ModelCatalogue([
    {
      list: async () => entries,
      find: async (name) =>
        entries.find((entry) => modelNameKey(parseModelName(entry.name)) === modelNameKey(name)),
    },
  ]);
}

/** The whole app with a small catalogue and a logger whose lines a test can read. */
export function createTestApp(overrides: Partial<ModelServerParts> = {}): {
  app: Express;
  logLines: string[];
} {
  const logLines: string[] = [];
  const app = createApp({
    catalogue: catalogueOf(testModel),
    generator: scriptedGenerator([startEvent, ...textEvents('Hel', 'lo'), finishEvent]),
    logger: createLogger({
      name: 'model-server',
      level: 'info',
      format: 'json',
      destination: { write: (line) => void logLines.push(line) },
    }),
    readiness: {},
    maxBodyBytes: 1024 * 1024,
    origins: [],
    checkHost: false,
    ...overrides,
  });
  return { app, logLines };
}
