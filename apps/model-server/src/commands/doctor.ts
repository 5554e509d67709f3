import { existsSync } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { TagsResponse } from '@hearth/protocol-types/runner/tags-response';
import { defaultDataFolder } from '@hearth/service-kit/data-folder';
import { StartupError } from '@hearth/service-kit/startup-error';
import { formatBytes } from '../models/transfer/format-bytes.js';
import { type CommandContext, noServerExitCode, printJson } from './command-context.js';
import { findGpu } from './find-gpu.js';
import type { Finding } from './finding.js';

/** Says what this machine has and what stands in the way. Fails when something must be mended. */
export async function doctor(
  context: CommandContext,
  options: { readonly json?: boolean },
): Promise<boolean> {
  const findings = [
    node(),
    cores(),
    await memory(),
    await findGpu(context.env),
    await disk(context),
    key(context),
    await server(context),
  ];
  const ok = findings.every((finding) => finding.ok);
  if (options.json === true) printJson(context, { ok, findings });
  else {
    for (const { name, ok: fine, text } of findings) {
      context.stdout.write(`${fine ? 'ok  ' : 'BAD '} ${name.padEnd(8)} ${text}\n`);
    }
  }
  return ok;
}

function node(): Finding {
  const [major = 0] = process.versions.node.split('.').map(Number);
  return { name: 'node', ok: major >= 20, text: `${process.version} on ${process.platform} ${process.arch}` };
}

function cores(): Finding {
  const usable = os.availableParallelism();
  return {
    name: 'cores',
    ok: true,
    text: `${usable} usable of ${os.cpus().length} (${os.cpus()[0]?.model ?? 'unknown'})`,
  };
}

async function memory(): Promise<Finding> {
  const limit = await containerMemoryLimit();
  const total = Math.min(os.totalmem(), limit ?? Number.POSITIVE_INFINITY);
  const text = `${formatBytes(total)}${limit === undefined ? '' : ' (limit of this container)'}, ${formatBytes(os.freemem())} free`;
  return { name: 'memory', ok: true, text };
}

async function containerMemoryLimit(): Promise<number | undefined> {
  for (const file of ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes']) {
    const text = await readFile(file, 'utf8').catch(() => 'max');
    const bytes = Number(text.trim());
    if (Number.isFinite(bytes) && bytes > 0 && bytes < os.totalmem()) return bytes;
  }
  return undefined;
}

async function disk({ env }: CommandContext): Promise<Finding> {
  const folder = env['HEARTH_MODELS'] || path.join(env['HEARTH_DATA'] || defaultDataFolder(env), 'models');
  let existing = path.resolve(folder);
  while (!existsSync(existing)) existing = path.dirname(existing);
  const info = await statfs(existing);
  const free = info.bavail * info.bsize;
  return { name: 'disk', ok: free > 1e9, text: `${formatBytes(free)} free for models in ${folder}` };
}

function key({ env }: CommandContext): Finding {
  const text = env['HEARTH_API_KEY']
    ? 'HEARTH_API_KEY is set'
    : 'none set (HEARTH_API_KEY): a server started here is open to this machine';
  return { name: 'key', ok: true, text };
}

/** Is one running, does it take our key, and what does it serve? If none runs: could one listen there? */
async function server(context: CommandContext): Promise<Finding> {
  const { baseUrl } = context.client;
  try {
    const { models } = await context.client.json<TagsResponse>('GET', '/api/tags');
    const names = models.map((model) => model.name).join(', ');
    return {
      name: 'server',
      ok: true,
      text: `runs at ${baseUrl} with ${models.length === 1 ? '1 model' : `${models.length} models`}: ${names || 'none'}`,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const isSilent = error instanceof StartupError && error.exitCode === noServerExitCode;
    const text = {
      free: `none at ${baseUrl}; the port is free: start one with "hearth serve"`,
      taken: isSilent ? `${baseUrl} is taken by a program that is no model server` : reason,
      elsewhere: reason,
    };
    const state = await portState(new URL(baseUrl));
    return { name: 'server', ok: state === 'free', text: text[state] };
  }
}

/** Whether a server could listen there; an address of another machine is not ours to try. */
async function portState({ protocol, hostname, port }: URL): Promise<'free' | 'taken' | 'elsewhere'> {
  return await new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'EADDRINUSE' ? 'taken' : 'elsewhere'),
    );
    const number = Number(port || (protocol === 'https:' ? 443 : 80));
    probe.listen(number, hostname.replace(/^\[|\]$/g, ''), () => probe.close(() => resolve('free')));
  });
}
