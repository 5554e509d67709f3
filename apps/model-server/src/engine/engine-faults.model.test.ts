import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  chat,
  type Engine,
  emberPath,
  endless,
  errorOf,
  openEngine,
  readToEnd,
  run,
  startReading,
} from '../../test/engine-fixture.js';

let folder: string;
let engine: Engine;
const files: Record<string, string> = {};

const fileNamed = (name: string) => path.join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'hearth-engine-'));
  const ember = await readFile(emberPath);
  const version1 = Buffer.from(ember.subarray(0, 4096));
  version1.writeUInt32LE(1, 4);
  const unknown = Buffer.from(ember);
  const at = unknown.indexOf('llama', unknown.indexOf('general.architecture'));
  unknown.write('zlama', at);
  const contents: Record<string, Buffer> = {
    'not-a-gguf': Buffer.from(
      'this is a text file, not a model, and it is long enough to be read as a header',
    ),
    empty: Buffer.alloc(0),
    'cut-off': Buffer.from(ember.subarray(0, 4_000_000)),
    'cut-in-the-header': Buffer.from(ember.subarray(0, 3000)),
    'version-1': version1,
    'unknown-architecture': unknown,
  };
  for (const [name, content] of Object.entries(contents)) {
    files[name] = fileNamed(`${name}.gguf`);
    await writeFile(files[name], content);
  }
  files['missing'] = fileNamed('nowhere.gguf');
  engine = openEngine({ files });
}, 60_000);
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

test.each([
  ['not-a-gguf', 'its file is not a GGUF file'],
  ['empty', 'its file is not a GGUF file'],
  ['cut-off', 'its file is damaged or incomplete'],
  ['cut-in-the-header', 'its file is damaged or incomplete'],
  ['version-1', 'version 1'],
  ['unknown-architecture', 'architecture "zlama" is not supported'],
  ['missing', 'its file is missing'],
])('a file that is %s gives a clear error and harms nothing', async (model, reason) => {
  const error = await errorOf(run(engine, chat('hello', { model })));
  expect(error.code).toBe('model-unloadable');
  expect(error.message).toContain(reason);
  expect(error.message).not.toMatch(/\n| at |node_modules/);
  expect((await run(engine, chat('who are you?'))).text).toContain('Ember');
});

test('a file that cannot be loaded is not tried again at once, but again when it has changed', async () => {
  const again = () => errorOf(run(engine, chat('hello', { model: 'not-a-gguf' })));
  await again();
  expect(await again()).toMatchObject({ code: 'model-unloadable', retryAfterSeconds: expect.any(Number) });
  await copyFile(emberPath, files['not-a-gguf'] as string);
  await utimes(files['not-a-gguf'] as string, 1, 1);
  expect((await run(engine, chat('who are you?', { model: 'not-a-gguf' }))).text).toContain('Ember');
});

test('kill -9 during a stream ends that model’s requests at once; others go on, and the next request starts it anew', async () => {
  const doomed = await startReading(engine, endless({ model: 'doomed:latest' }));
  const alsoDoomed = await startReading(engine, endless({ model: 'doomed:latest' }));
  const spared = await startReading(engine, endless({ model: 'spared:latest', maxTokens: 300 }));
  const victim = engine.stats().engines.find(({ model }) => model === 'doomed:latest');
  process.kill(victim?.pid as number, 'SIGKILL');
  for (const { iterator } of [doomed, alsoDoomed]) {
    expect((await errorOf(readToEnd(iterator))).code).toBe('engine-crashed');
  }
  expect((await readToEnd(spared.iterator)).at(-1)).toMatchObject({ type: 'finish' });
  expect(engine.stats().engineCrashes).toBe(1);
  expect((await run(engine, chat('who are you?', { model: 'doomed:latest' }))).text).toContain('Ember');
});

test('a model that keeps crashing is left alone for a while', async () => {
  for (let crash = 0; crash < 2; crash += 1) {
    const { iterator } = await startReading(engine, endless({ model: 'cursed:latest' }));
    const victim = engine.stats().engines.find(({ model }) => model === 'cursed:latest');
    process.kill(victim?.pid as number, 'SIGKILL');
    await errorOf(readToEnd(iterator));
  }
  const error = await errorOf(run(engine, chat('hello', { model: 'cursed:latest' })));
  expect(error).toMatchObject({ code: 'engine-crashed', retryAfterSeconds: expect.any(Number) });
});

/** A program in place of the engine's, that dies in the middle of loading. */
async function engineThatDies(how: string): Promise<Engine> {
  const childEntry = fileNamed(`dies-${how.replace(/\W/g, '')}.mjs`);
  await writeFile(childEntry, `process.on('message', () => { ${how} }); process.send({ type: 'ready' });`);
  return openEngine({ settings: { childEntry } });
}

test.each([
  ["process.kill(process.pid, 'SIGKILL');", 'engine-crashed'],
  ['process.abort();', 'model-unloadable'],
  ['process.exit(0);', 'engine-crashed'],
])('a process that ends while it loads (%s) ends the requests that wait for it', async (how, code) => {
  const dying = await engineThatDies(how);
  try {
    const errors = await Promise.all([1, 2].map(() => errorOf(run(dying, chat('hello')))));
    expect(errors.map((error) => error.code)).toEqual([code, code]);
    expect(dying.listLoaded()).toEqual([]);
    expect(dying.stats()).toMatchObject({ waitingRequests: 0, runningRequests: 0 });
  } finally {
    await dying.close();
  }
});

test('a request cancelled while its model loads ends at once; the load goes on for others', async () => {
  const control = new AbortController();
  const impatient = run(engine, chat('hello', { model: 'slow:latest' }), control.signal);
  const patient = run(engine, chat('who are you?', { model: 'slow:latest' }));
  control.abort();
  expect((await errorOf(impatient)).code).toBe('cancelled');
  expect((await patient).text).toContain('Ember');
});

test('a server that is killed leaves no engine process behind', async () => {
  const program = `
    import { createEngine } from ${JSON.stringify(distFile('engine/create-engine.js'))};
    import { defaultEngineSettings } from ${JSON.stringify(distFile('engine/engine-settings.js'))};
    const quiet = { debug() {}, warn() {}, error() {}, info() {} };
    const engine = createEngine({
      models: { resolve: async (name) => ({ name, path: ${JSON.stringify(emberPath)}, sizeBytes: 1 }) },
      settings: { ...defaultEngineSettings, threads: 1, contextLength: 1024 },
      logger: quiet,
    });
    const request = JSON.parse(process.argv[2]);
    for await (const event of engine.generate(request, new AbortController().signal)) {
      if (event.type === 'text-delta') console.log(engine.stats().engines[0].pid);
    }
  `;
  const file = fileNamed('server.mjs');
  await writeFile(file, program);
  const server = spawn(process.execPath, [file, JSON.stringify(endless())], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [chunk] = (await once(server.stdout, 'data')) as [Buffer];
  const pid = Number.parseInt(chunk.toString(), 10);
  expect(isRunning(pid)).toBe(true);
  server.kill('SIGKILL');
  await once(server, 'exit');
  while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isRunning(pid)).toBe(false);
});

function distFile(name: string): string {
  return path.resolve(import.meta.dirname, '../../dist', name);
}

/** A process that nobody has waited for yet is still listed, but does not run any more. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform !== 'linux';
  }
}
