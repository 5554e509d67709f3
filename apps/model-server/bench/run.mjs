import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cases } from './cases.mjs';
import { engineTarget } from './engine-target.mjs';
import { httpTarget } from './http-target.mjs';
import { makeRandomGguf } from './make-random-gguf.mjs';
import { renderTables } from './report.mjs';

// npm run bench -- models [--model FILE | --quant Q4_0|Q8_0] [--peer URL] [--peer-model NAME] [--families LIST]
//   [--rounds N] [--threads N] [--tokens N] [--only TEXT,TEXT] [--json FILE] [--quick]
//
// Measures the engine alone, the same through HTTP on each family, and a peer (any server with the chat-completions
// API that serves the same file). All targets take turns in each round, so that a noisy machine is noisy for all;
// what counts are their ratios.

const root = path.resolve(import.meta.dirname, '../../..');
const { values: options } = parseArgs({
  options: {
    model: { type: 'string' },
    peer: { type: 'string' },
    'peer-model': { type: 'string', default: 'default' },
    families: { type: 'string', default: 'runner,completions,messages' },
    rounds: { type: 'string', default: '3' },
    threads: { type: 'string' },
    only: { type: 'string' },
    json: { type: 'string' },
    tokens: { type: 'string' },
    quant: { type: 'string', default: 'Q8_0' },
    quick: { type: 'boolean', default: false },
  },
});
const size = options.quick
  ? { tokens: 16, longWords: 200, requests: 8 }
  : { tokens: 64, longWords: 330, requests: 24 };
// How long the streamed replies are; short ones measure code that is not yet compiled.
if (options.tokens) size.tokens = Number(options.tokens);
const shape = options.quick
  ? { width: 256, layers: 4, heads: 4, kvHeads: 2, feedForward: 512, context: 4096 }
  : { width: 960, layers: 32, heads: 15, kvHeads: 5, feedForward: 2560, context: 4096 };

// Threads of llama.cpp's own server spin for a while after their last token: whoever is measured next would pay for it.
const restMs = options.quick ? 0 : 1000;

const folder = await mkdtemp(path.join(tmpdir(), 'hearth-bench-'));
const closers = [() => rm(folder, { recursive: true, force: true })];
const say = (text) => process.stderr.write(`${text}\n`);

try {
  const model = await modelFile();
  const targets = await openTargets(model);
  const figures = await measure(targets);
  const names = targets.map(({ name }) => name);
  process.stdout.write(`${renderTables(figures, names)}\n`);
  if (options.json) await writeFile(options.json, JSON.stringify(describe(figures, model), undefined, 2));
} finally {
  for (const close of closers.reverse()) await close();
}

async function modelFile() {
  await mkdir(path.join(folder, 'models'));
  const file = path.join(folder, 'models', 'bench.gguf');
  if (options.model) await copyFile(options.model, file);
  else {
    say('making a model of random weights');
    await makeRandomGguf({
      from: path.join(root, 'models/ember/ember.gguf'),
      to: file,
      shape,
      quant: options.quant,
    });
  }
  return file;
}

async function openTargets(model) {
  const settings = { parallel: 16, contextLength: 2048, threads: options.threads && Number(options.threads) };
  const engine = engineTarget({ path: model, ...settings });
  closers.push(engine.close);
  const server = await startServer(model, settings);
  const { models } = await (await fetch(`${server}/api/tags`)).json();
  const name = models.find((entry) => entry.name.startsWith('bench'))?.name;
  if (!name) throw new Error('the server does not list the model to measure');
  const targets = [
    engine,
    ...options.families.split(',').map((family) => httpTarget(family, family, server, name)),
  ];
  if (options.peer) targets.push(httpTarget('peer', 'completions', options.peer, options['peer-model']));
  for (const target of targets) {
    say(`warming up ${target.name}`);
    await target.generate({ prompt: 'Hello', maxTokens: 8 });
  }
  return targets;
}

async function startServer(model, { parallel, contextLength, threads }) {
  const cli = path.join(root, 'apps/model-server/dist/cli.js');
  if (!existsSync(cli)) throw new Error('build first: npm run build');
  const args = ['serve', '--port', '0', '--log-level', 'info', '--log-format', 'json'];
  args.push('--parallel', String(parallel), '--context-length', String(contextLength));
  args.push('--models-dir', path.dirname(model), '--data', path.join(folder, 'data'));
  if (threads) args.push('--threads', String(threads));
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  closers.push(async () => {
    child.kill('SIGTERM');
    await gone;
  });
  let log = '';
  for await (const chunk of child.stdout) {
    log += chunk;
    const url = /"url":"([^"]+)"/.exec(log)?.[1];
    if (!url) continue;
    child.stdout.resume();
    return url;
  }
  throw new Error(`the server did not start:\n${log}`);
}

/** Every target is the first one once: what the one before leaves behind must not always hit the same. */
function rotated(targets, round) {
  const start = (round - 1) % targets.length;
  return [...targets.slice(start), ...targets.slice(0, start)];
}

async function measure(targets) {
  const figures = cases
    .filter(({ name }) => !options.only || options.only.split(',').some((part) => name.includes(part)))
    .map((each) => ({ ...each, samples: Object.fromEntries(targets.map(({ name }) => [name, []])) }));
  for (let round = 1; round <= Number(options.rounds); round += 1) {
    for (const each of figures) {
      for (const target of rotated(targets, round)) {
        if (each.onlyFor && !each.onlyFor.includes(target.name)) continue;
        await setTimeout(restMs);
        each.samples[target.name].push(await each.run(target, size));
      }
      say(`round ${round}: ${each.name}`);
    }
  }
  return figures;
}

function describe(figures, model) {
  return {
    machine: { cpu: cpus()[0]?.model, cores: availableParallelism(), node: process.version },
    model: options.model ? path.basename(model) : { shape, quant: options.quant },
    size,
    cases: figures.map(({ name, unit, samples }) => ({ name, unit, samples })),
  };
}
