import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Logger } from '@hearth/service-kit/logger';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createEngine } from '../create-engine.js';
import { defaultEngineSettings } from '../engine-settings.js';

// An engine process as it behaves where the GPU build and the driver do not fit: it loads, then aborts at the first step.
const childProgram = `
import { appendFileSync } from 'node:fs';
let gpu;
process.on('message', (message) => {
  if (message.type === 'plan') {
    gpu = message.model.gpu;
    appendFileSync(new URL('starts', import.meta.url), gpu + '\\n');
    process.send({ type: 'planned', plan: { trainContextLength: 2048, modelBytes: 1, contexts: [{ contextLength: 2048, bytes: 1 }] } });
  }
  if (message.type !== 'load') return;
  if (gpu === 'off') {
    process.send({ type: 'loaded', facts: { contextLength: 2048, trainContextLength: 2048, architecture: 'llama', embeddingLength: 1, vocabularySize: 1, canInfill: false, modelBytes: 1, contextBytes: 1, vramBytes: 0 } });
    return;
  }
  const complaint = 'CUDA error: the provided PTX was compiled with an unsupported toolchain.';
  process.send({ type: 'log', level: 'error', message: complaint }, () => process.kill(process.pid, 'SIGABRT'));
});
process.send({ type: 'ready' });
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'hearth-gpu-'));
  await writeFile(path.join(folder, 'child.mjs'), childProgram);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function engineWith(gpu: 'auto' | 'off') {
  const warnings: unknown[] = [];
  const logger = {
    debug: () => undefined,
    info: () => undefined,
    error: () => undefined,
    warn: (facts: unknown) => warnings.push(facts),
  } as unknown as Logger;
  const file = path.join(folder, 'child.mjs');
  const engine = createEngine({
    models: { resolve: async (name) => ({ name, path: file, sizeBytes: 1 }) },
    settings: { ...defaultEngineSettings, gpu, childEntry: file },
    logger,
  });
  return { engine, warnings };
}

const load = (model: string) => ({ model, keepAlive: 'forever' as const });

test('a GPU whose driver does not fit the build is left alone: models load on the CPU, and the log says why', async () => {
  const { engine, warnings } = engineWith('auto');
  try {
    await engine.load(load('one'), new AbortController().signal);
    await engine.load(load('two'), new AbortController().signal);
    expect(engine.listLoaded().map(({ model }) => model)).toEqual(['one', 'two']);
    // One that failed with the GPU and one that runs for the first model, only one that runs for the second.
    expect((await readFile(path.join(folder, 'starts'), 'utf8')).trim().split('\n')).toEqual([
      'auto',
      'off',
      'off',
    ]);
    expect(warnings).toEqual([
      { reason: 'CUDA error: the provided PTX was compiled with an unsupported toolchain.' },
    ]);
  } finally {
    await engine.close();
  }
});

test('a crash that has nothing to do with the GPU is still told as one', async () => {
  await writeFile(
    path.join(folder, 'child.mjs'),
    childProgram.replace(
      'CUDA error: the provided PTX was compiled with an unsupported toolchain.',
      'GGML_ASSERT failed',
    ),
  );
  const { engine, warnings } = engineWith('auto');
  try {
    await expect(engine.load(load('one'), new AbortController().signal)).rejects.toMatchObject({
      code: 'model-unloadable',
    });
    expect(warnings).toEqual([]);
  } finally {
    await engine.close();
  }
});
