import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

// npm run bench -- pull [--megabytes N] [--network N] [--rounds N] [--json FILE]
//
// Pulls one large file over loopback from a registry in a process of its own, and fetches the same file with curl.
// The registry sends from memory, because it shares the machine with whoever it is measured with. Both take turns; the
// figures are medians, and what counts is their ratio. A pull also verifies the SHA-256 and puts
// the file on disk for good (fsync), which curl does not, so the hash alone, which no verified download can outrun, and
// curl with the same hash after it are shown as well. The time of
// the processor hardly depends on what else the machine does. A file of a quarter of the size shows that memory is flat.
// Loopback is faster than most networks: --network lets the registry send at most so many megabytes a second.

const { values: options } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '1024' },
    network: { type: 'string', default: 'Infinity' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'string' },
  },
});
const sizeBytes = Number(options.megabytes) * 1024 * 1024;
const here = import.meta.dirname;
const ember = path.resolve(here, '../../../models/ember/ember.gguf');
const folder = await mkdtemp(path.join(tmpdir(), 'hearth-pull-'));
const children = [];

// A bench that is stopped leaves neither a gigabyte in the temporary folder nor a registry behind.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]) {
  process.once(signal, () => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    process.exit(code);
  });
}

try {
  const { digest, registry } = await serve(sizeBytes);
  const rounds = [];
  for (let round = 0; round < Number(options.rounds); round += 1) {
    const curl = await timed(() =>
      run('curl', ['-s', '-o', path.join(folder, 'curl'), `${registry}/v2/b/b/blobs/${digest}`]),
    );
    const hash = await timed(() => hashOf(path.join(folder, 'curl')));
    await rm(path.join(folder, 'curl'));
    const pull = await pullOnce(registry);
    rounds.push({ curl, hash, ...pull });
    process.stderr.write(`round ${round + 1}: ${JSON.stringify(rounds.at(-1))}\n`);
  }
  const quarter = await pullOnce((await serve(sizeBytes / 4)).registry);
  const figures = {
    megabytes: Number(options.megabytes),
    curlMegabytesPerSecond: rate(rounds.map((one) => one.curl)),
    hashMegabytesPerSecond: rate(rounds.map((one) => one.hash)),
    curlAndHashMegabytesPerSecond: rate(rounds.map((one) => one.curl + one.hash)),
    pullMegabytesPerSecond: rate(rounds.map((one) => one.seconds)),
    pullCpuSeconds: median(rounds.map((one) => one.cpuSeconds)),
    peakMemoryMegabytes: median(rounds.map((one) => one.peakMegabytes)),
    quarterPeakMemoryMegabytes: quarter.peakMegabytes,
  };
  const ratio = (other) => (figures.pullMegabytesPerSecond / other).toFixed(2);
  process.stdout.write(
    [
      `curl                 ${figures.curlMegabytesPerSecond.toFixed(0)} MB/s`,
      `hash alone           ${figures.hashMegabytesPerSecond.toFixed(0)} MB/s`,
      `curl, then the hash  ${figures.curlAndHashMegabytesPerSecond.toFixed(0)} MB/s`,
      `hearth pull          ${figures.pullMegabytesPerSecond.toFixed(0)} MB/s, ${figures.pullCpuSeconds.toFixed(2)} s of processor time`,
      `peak memory          ${figures.peakMemoryMegabytes.toFixed(0)} MB, ${figures.quarterPeakMemoryMegabytes.toFixed(0)} MB for a quarter of the file`,
      `ratio                ${ratio(figures.curlMegabytesPerSecond)} of curl, ${ratio(figures.hashMegabytesPerSecond)} of the hash, ${ratio(figures.curlAndHashMegabytesPerSecond)} of curl with the hash`,
      '',
    ].join('\n'),
  );
  if (options.json) await writeFile(options.json, JSON.stringify(figures, undefined, 2));
} finally {
  for (const child of children) child.kill();
  await rm(folder, { recursive: true, force: true });
}

async function serve(sizeBytes) {
  const file = path.join(folder, `model-${sizeBytes}`);
  const digest = await makeFile(file, sizeBytes);
  return { digest, registry: await startRegistry(file, digest) };
}

/** A sound GGUF header and then nothing but a hole: reading it costs no disk. */
async function makeFile(file, sizeBytes) {
  await writeFile(file, (await readFile(ember)).subarray(0, 1024 * 1024));
  const handle = await open(file, 'r+');
  await handle.truncate(sizeBytes);
  await handle.close();
  return await hashOf(file);
}

async function hashOf(file) {
  const hash = createHash('sha256');
  for await (const part of createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(part);
  return `sha256:${hash.digest('hex')}`;
}

async function startRegistry(file, digest) {
  const child = spawn(
    process.execPath,
    [path.join(here, 'pull-registry.mjs'), file, digest, options.network],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  );
  children.push(child);
  return await new Promise((resolve) => child.once('message', resolve));
}

async function pullOnce(registry) {
  const store = await mkdtemp(path.join(folder, 'store-'));
  const child = spawn(process.execPath, [path.join(here, 'pull-once.mjs'), store, `${registry}/b/b:1`], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  children.push(child);
  const result = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the pull ended with ${code}`)));
  });
  await rm(store, { recursive: true });
  return result;
}

async function timed(work) {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

async function run(command, args) {
  const child = spawn(command, args, { stdio: 'ignore' });
  children.push(child);
  const code = await new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject));
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function rate(seconds) {
  return Number(options.megabytes) / median(seconds);
}
