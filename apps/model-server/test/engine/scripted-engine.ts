import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Logger } from '@hearth/service-kit/logger';
import { createEngine } from '../../src/engine/create-engine.js';
import { defaultEngineSettings } from '../../src/engine/engine-settings.js';

/** An engine whose processes run a program of the test's own, for what no machine of ours would do. */
export async function scriptedEngine(childProgram: string, gpu: 'auto' | 'off' = 'auto') {
  const folder = await mkdtemp(path.join(tmpdir(), 'hearth-scripted-'));
  const file = path.join(folder, 'child.mjs');
  await writeFile(file, childProgram);
  const warnings: unknown[] = [];
  const logger = {
    debug: () => undefined,
    info: () => undefined,
    error: () => undefined,
    warn: (facts: unknown) => warnings.push(facts),
  } as unknown as Logger;
  const engine = createEngine({
    models: { resolve: async (name) => ({ name, path: `${file}#${name}`, sizeBytes: 1 }) },
    settings: { ...defaultEngineSettings, gpu, childEntry: file },
    logger,
  });
  return {
    engine,
    warnings,
    load: (model: string) => engine.load({ model, keepAlive: 'forever' }, new AbortController().signal),
    /** What the processes have noted, each on its line. */
    notes: async () => (await readFile(path.join(folder, 'notes'), 'utf8')).trim().split('\n'),
    close: async () => {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
