import { afterEach, expect, test } from '@jest/globals';
import { scriptedEngine } from '../../../test/engine/scripted-engine.js';

const unfit = 'CUDA error: the provided PTX was compiled with an unsupported toolchain.';

/** An engine process that loads on the CPU alone; on the GPU it does what is told here. */
const childProgram = (onGpu: string) => `
import { appendFileSync } from 'node:fs';
let gpu;
process.on('message', (message) => {
  if (message.type === 'plan') {
    gpu = message.model.gpu;
    appendFileSync(new URL('notes', import.meta.url), gpu + '\\n');
    const offer = { sequences: 4, contextLength: 2048, gpuLayers: gpu === 'off' ? 0 : 8, modelBytes: 1, contextBytes: 1, vramBytes: 0 };
    process.send({ type: 'planned', plan: { computesOn: gpu === 'off' ? 'cpu' : 'gpu', trainContextLength: 2048, offers: [offer], wantsGpuRoom: false } });
  }
  if (message.type !== 'load') return;
  if (gpu === 'off') {
    process.send({ type: 'loaded', facts: { contextLength: 2048, trainContextLength: 2048, architecture: 'llama', embeddingLength: 1, vocabularySize: 1, canInfill: false, sequences: 4, gpuLayers: 0, modelBytes: 1, contextBytes: 1, vramBytes: 0 } });
    return;
  }
  ${onGpu}
});
process.send({ type: 'ready' });
`;

const diesWith = (complaint: string) =>
  childProgram(
    `process.send({ type: 'log', level: 'error', message: ${JSON.stringify(complaint)} }, () => process.kill(process.pid, 'SIGABRT'));`,
  );

const dyingAtOnce = (complaint: string) =>
  diesWith(complaint).replace(
    "if (message.type === 'plan') {",
    `if (message.type === 'plan' && message.model.gpu !== 'off') {
    appendFileSync(new URL('notes', import.meta.url), 'auto\\n');
    process.send({ type: 'log', level: 'error', message: ${JSON.stringify(complaint)} }, () => process.kill(process.pid, 'SIGABRT'));
    return;
  }
  $&`,
  );

let scripted: Awaited<ReturnType<typeof scriptedEngine>>;
afterEach(() => scripted.close());

test('a GPU whose driver does not fit the build is left alone: models load on the CPU, and the log says why', async () => {
  scripted = await scriptedEngine(diesWith(unfit));
  await scripted.load('one');
  await scripted.load('two');
  expect(scripted.engine.listLoaded().map(({ model }) => model)).toEqual(['one', 'two']);
  // One that failed with the GPU and one that runs for the first model, only one that runs for the second.
  expect(await scripted.notes()).toEqual(['auto', 'off', 'off']);
  expect(scripted.warnings).toEqual([{ reason: unfit }]);
});

test.each([
  ['dies of it while it looks', dyingAtOnce('CUDA error: out of memory')],
  ['dies of it while it loads', diesWith('CUDA error: out of memory')],
  [
    'says so',
    childProgram(
      `process.send({ type: 'load-failed', error: { code: 'does-not-fit', message: 'there is not enough memory to load the model' } });`,
    ),
  ],
])(
  'a model for which the GPU lacks memory after all (it %s) runs on the CPU, and the next one may use the GPU',
  async (_how, program) => {
    scripted = await scriptedEngine(program);
    await scripted.load('one');
    await scripted.load('two');
    expect(scripted.engine.listLoaded().map(({ model }) => model)).toEqual(['one', 'two']);
    expect(await scripted.notes()).toEqual(['auto', 'off', 'auto', 'off']);
    expect(scripted.warnings).toMatchObject([{ model: 'one' }, { model: 'two' }]);
  },
);

test('a crash that has nothing to do with the GPU is still told as one', async () => {
  scripted = await scriptedEngine(diesWith('GGML_ASSERT failed'));
  await expect(scripted.load('one')).rejects.toMatchObject({ code: 'model-unloadable' });
  expect(scripted.warnings).toEqual([]);
});
