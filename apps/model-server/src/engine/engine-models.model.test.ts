import { copyFile, rename, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import {
  chat,
  type Engine,
  emberPath,
  endless,
  errorOf,
  never,
  openEngine,
  readToEnd,
  run,
  startReading,
} from '../../test/engine-fixture.js';
import { temporaryFolders } from '../../test/temporary-folder.js';

const open: Engine[] = [];
const opened = (...options: Parameters<typeof openEngine>): Engine => {
  const engine = openEngine(...options);
  open.push(engine);
  return engine;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((engine) => engine.close()));
});

const temporaryFolder = temporaryFolders();
const loadedNames = (engine: Engine) => engine.listLoaded().map(({ model }) => model);
const pids = (engine: Engine) => engine.stats().engines.map(({ pid }) => pid);

test('one load is shared by all who wait for it', async () => {
  const engine = opened();
  const results = await Promise.all(
    [1, 2, 3, 4, 5].map(() => run(engine, chat('who are you?', { maxTokens: 4 }))),
  );
  expect(engine.stats().engines).toHaveLength(1);
  for (const { durations } of results) expect(durations.loadMs).toBeGreaterThan(0);
  expect((await run(engine, chat('who are you?', { maxTokens: 1 }))).durations.loadMs).toBe(0);
});

test('a model stays for its keep-alive, is unloaded on request, and is listed with its facts', async () => {
  const engine = opened({ settings: { keepAlive: { seconds: 100 } } });
  await engine.load({ model: 'ember:latest' }, never);
  const [loaded] = engine.listLoaded();
  expect(loaded).toMatchObject({ model: 'ember:latest', contextLength: 1024, busy: false, sizeVramBytes: 0 });
  expect(loaded?.sizeBytes).toBeGreaterThan(15_000_000);
  expect(loaded?.expiresAt?.getTime()).toBeGreaterThan(Date.now() + 50_000);
  await engine.load({ model: 'ember:latest', keepAlive: 'forever' }, never);
  expect(engine.listLoaded()[0]?.expiresAt).toBeUndefined();
  expect(await engine.unload('ember:latest')).toBe(true);
  expect(engine.listLoaded()).toEqual([]);
  expect(await engine.unload('ember:latest')).toBe(false);
});

test('a keep-alive of 0 unloads after the reply, a short one when it is over', async () => {
  const engine = opened();
  await run(engine, chat('who are you?', { maxTokens: 1, keepAlive: { seconds: 0 } }));
  expect(loadedNames(engine)).toEqual([]);
  await engine.load({ model: 'ember:latest', keepAlive: { seconds: 0.2 } }, never);
  // The model is gone when a new load has to load.
  await engine.load({ model: 'other:latest' }, never);
  for (;;) {
    if (!loadedNames(engine).includes('ember:latest')) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(loadedNames(engine)).toEqual(['other:latest']);
});

test('the idle model least recently used makes room, never a busy one', async () => {
  const engine = opened({ settings: { maxLoadedModels: 2 } });
  const control = new AbortController();
  const { iterator } = await startReading(engine, endless({ model: 'busy:latest' }), control.signal);
  await engine.load({ model: 'idle:latest' }, never);
  await engine.load({ model: 'newest:latest' }, never);
  expect(loadedNames(engine).sort()).toEqual(['busy:latest', 'newest:latest']);
  expect((await iterator.next()).value).toMatchObject({ type: 'text-delta' });
  control.abort();
  await errorOf(readToEnd(iterator));
});

test('where every loaded model is busy, the next one waits until one is not', async () => {
  const engine = opened({ settings: { maxLoadedModels: 1 } });
  const { iterator } = await startReading(engine, endless({ model: 'first:latest', maxTokens: 200 }));
  const second = run(engine, chat('who are you?', { model: 'second:latest' }));
  expect((await readToEnd(iterator)).at(-1)).toMatchObject({ type: 'finish' });
  expect((await second).text).toContain('Ember');
  expect(loadedNames(engine)).toEqual(['second:latest']);
});

test('a load that nobody waits for any more takes no room', async () => {
  const engine = opened({ settings: { maxLoadedModels: 1 } });
  const { iterator } = await startReading(engine, endless({ model: 'first:latest', maxTokens: 60 }));
  const control = new AbortController();
  const second = run(engine, chat('who are you?', { model: 'second:latest' }), control.signal);
  control.abort();
  expect((await errorOf(second)).code).toBe('cancelled');
  await readToEnd(iterator);
  await run(engine, chat('who are you?', { model: 'first:latest', maxTokens: 1 }));
  expect(loadedNames(engine)).toEqual(['first:latest']);
});

test('a model that does not fit is refused with both numbers, and nothing is left running', async () => {
  const engine = opened({ settings: { memoryLimitBytes: 20 * 2 ** 20 } });
  const error = await errorOf(run(engine, chat('hello')));
  expect(error.code).toBe('does-not-fit');
  expect(error.facts).toMatchObject({ availableBytes: 20 * 2 ** 20, neededBytes: expect.any(Number) });
  expect(error.message).toMatch(/needs about \d+ MiB of memory, but only 20 MiB/);
  expect(pids(engine)).toEqual([]);
});

test('memory that idle models hold is given to the next one', async () => {
  const engine = opened({ settings: { memoryLimitBytes: 300 * 2 ** 20 } });
  await engine.load({ model: 'first:latest' }, never);
  await engine.load({ model: 'second:latest' }, never);
  expect(loadedNames(engine)).toEqual(['second:latest']);
});

test('a request for more context loads the model anew, one for less does not', async () => {
  const engine = opened({ settings: { contextLength: 512 } });
  await run(engine, chat('who are you?', { maxTokens: 1 }));
  const [before] = pids(engine);
  await run(engine, chat('who are you?', { maxTokens: 1, contextLength: 256 }));
  expect(pids(engine)).toEqual([before]);
  const long = chat('word '.repeat(1000), { maxTokens: 1, contextLength: 1536 });
  expect((await run(engine, long)).usage.promptTokens).toBeGreaterThan(1000);
  expect(pids(engine)).not.toEqual([before]);
  expect(engine.listLoaded()[0]?.contextLength).toBe(1536);
});

test('more context than the model was trained for is cut to that', async () => {
  const engine = opened();
  await engine.load({ model: 'ember:latest', contextLength: 1_000_000 }, never);
  expect(engine.listLoaded()[0]?.contextLength).toBe(2048);
  const [before] = pids(engine);
  await engine.load({ model: 'ember:latest', contextLength: 1_000_000 }, never);
  expect(pids(engine)).toEqual([before]);
});

test('a file replaced by another of the same size under the same path is loaded before the next request', async () => {
  const file = path.join(await temporaryFolder(), 'model.gguf');
  await copyFile(emberPath, file);
  const engine = opened({ files: { 'mine:latest': file } });
  const ask = () => run(engine, chat('who are you?', { model: 'mine:latest', maxTokens: 1 }));
  await ask();
  const [first] = pids(engine);
  await ask();
  expect(pids(engine)).toEqual([first]);

  const { iterator } = await startReading(engine, endless({ model: 'mine:latest', maxTokens: 100 }));
  await copyFile(emberPath, `${file}.new`);
  await rename(`${file}.new`, file);
  const afterReplaced = ask();
  expect((await readToEnd(iterator)).at(-1)).toMatchObject({ type: 'finish' });
  await afterReplaced;
  const [second] = pids(engine);
  expect(second).not.toBe(first);

  const later = new Date(Date.now() + 10_000);
  await utimes(file, later, later);
  await ask();
  const [third] = pids(engine);
  expect(third).not.toBe(second);

  await rm(file);
  await ask();
  expect(pids(engine)).toEqual([third]);
});

test('unloading waits for the running request', async () => {
  const engine = opened();
  const { iterator } = await startReading(engine, endless({ maxTokens: 100 }));
  const unloaded = engine.unload('ember:latest');
  expect((await readToEnd(iterator)).at(-1)).toMatchObject({ type: 'finish' });
  expect(await unloaded).toBe(true);
  expect(engine.listLoaded()).toEqual([]);
});

test('a closed engine refuses work and has ended its processes', async () => {
  const engine = opened();
  await engine.load({ model: 'ember:latest' }, never);
  const [pid] = pids(engine);
  await engine.close();
  expect(() => process.kill(pid as number, 0)).toThrow('ESRCH');
  expect((await errorOf(run(engine, chat('hello')))).code).toBe('stopping');
});
