import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { scriptedEngine } from '../../../test/engine/scripted-engine.js';
import { chat } from '../../../test/engine-fixture.js';

/** A GPU with room for ten layers: each process notes how many it took, and they are free again when it has gone. */
const childProgram = `
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
const held = new URL('held/', import.meta.url);
mkdirSync(held, { recursive: true });
const isAlive = (pid) => { try { process.kill(Number(pid), 0); return true; } catch { return false; } };
const free = () => readdirSync(held).filter(isAlive).reduce((left, pid) => left - Number(readFileSync(new URL(pid, held), 'utf8')), 10);
process.on('message', (message) => {
  if (message.type === 'plan') {
    const wanted = message.model.path.endsWith('#small') ? 2 : 8;
    const gpuLayers = Math.min(free(), wanted);
    const offer = { sequences: 4, contextLength: 2048, gpuLayers, modelBytes: 10 - gpuLayers, contextBytes: 1, vramBytes: gpuLayers * 1000 };
    process.send({ type: 'planned', plan: { computesOn: 'gpu', trainContextLength: 2048, offers: [offer], wantsGpuRoom: gpuLayers < wanted } });
  }
  if (message.type !== 'load') return;
  const { offer } = message;
  writeFileSync(new URL(String(process.pid), held), String(offer.gpuLayers));
  process.send({ type: 'loaded', facts: { ...offer, trainContextLength: 2048, architecture: 'llama', chatTemplate: undefined, embeddingLength: 1, vocabularySize: 1, canInfill: false } });
});
process.send({ type: 'ready' });
`;

let scripted: Awaited<ReturnType<typeof scriptedEngine>>;
beforeEach(async () => {
  scripted = await scriptedEngine(childProgram);
});
afterEach(() => scripted.close());

const loaded = () =>
  scripted.engine
    .listLoaded()
    .map(({ model, sizeBytes, sizeVramBytes }) => ({ model, sizeBytes, sizeVramBytes }));

test('models that fit on the GPU together stay there together, and each says what it takes in all', async () => {
  await scripted.load('one');
  await scripted.load('small');
  expect(loaded()).toEqual([
    { model: 'one', sizeBytes: 8003, sizeVramBytes: 8000 },
    { model: 'small', sizeBytes: 2009, sizeVramBytes: 2000 },
  ]);
});

test('an idle model leaves the GPU to one that does not fit beside it', async () => {
  await scripted.load('one');
  await scripted.load('two');
  expect(loaded()).toEqual([{ model: 'two', sizeBytes: 8003, sizeVramBytes: 8000 }]);
});

test('a busy model stays on the GPU, and the next one has what is left there', async () => {
  const leave = new AbortController();
  const reply = scripted.engine
    .generate(chat('Hello', { model: 'one' }), leave.signal)
    [Symbol.asyncIterator]();
  const first = reply.next().catch(() => undefined);
  while (!scripted.engine.listLoaded()[0]?.busy) await new Promise(setImmediate);
  await scripted.load('two');
  expect(loaded()).toEqual([
    { model: 'one', sizeBytes: 8003, sizeVramBytes: 8000 },
    { model: 'two', sizeBytes: 2009, sizeVramBytes: 2000 },
  ]);
  leave.abort();
  await first;
});
