import { createHash } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProgressResponse } from '@hearth/protocol-types/runner/progress-response';
import { shardPaths } from '../models/gguf/gguf-shards.js';
import { isModelFile } from '../models/in-place/find-gguf-files.js';
import { type CommandContext, commandError } from './command-context.js';
import { parseModelfile } from './parse-modelfile.js';
import { readText } from './read-text.js';
import { showProgress } from './show-progress.js';

export interface CreateModelOptions {
  readonly file: string;
  readonly quantize?: string;
}

/** Makes a model from a Modelfile; GGUF files it names are sent to the server first, those it has already are not. */
export async function createModel(
  context: CommandContext,
  name: string,
  options: CreateModelOptions,
): Promise<void> {
  const { from, licenses, ignored, ...rest } = parseModelfile(await readModelfile(context, options.file));
  if (ignored.length > 0) context.stderr.write(`without effect here: ${ignored.join(', ')}\n`);
  const folder = options.file === '-' ? process.cwd() : path.dirname(path.resolve(options.file));
  const file = await localFile(from, folder);
  const files: Record<string, string> = {};
  if (file !== undefined) {
    for (const part of shardPaths(file)) {
      files[path.basename(part)] = await uploadOnce(context, part);
    }
  }
  const body = {
    model: name,
    ...(file === undefined ? { from } : { files }),
    ...rest,
    ...(licenses.length === 0 ? {} : { license: licenses }),
    ...(options.quantize === undefined ? {} : { quantize: options.quantize }),
  };
  await showProgress(context, context.client.lines<ProgressResponse>('/api/create', body));
}

async function readModelfile({ stdin }: CommandContext, file: string): Promise<string> {
  if (file === '-') return await readText(stdin);
  return await readFile(file, 'utf8').catch(() => {
    throw commandError(`cannot read ${file}; name the Modelfile with -f`);
  });
}

/** FROM names a file when it looks like a path or when such a file is there. */
async function localFile(from: string, folder: string): Promise<string | undefined> {
  const expanded = from.startsWith('~/') ? path.join(homedir(), from.slice(2)) : from;
  const full = path.resolve(folder, expanded);
  const looksLikePath = /^(\.{1,2}$|\.{0,2}\/|~\/)/.test(from) || /\.gguf$/i.test(from);
  const found = await stat(full).catch(() => undefined);
  if (found?.isFile() && (looksLikePath || !from.includes(':'))) return full;
  if (found?.isDirectory() && looksLikePath) return await onlyGgufOf(full, from);
  if (looksLikePath && !/^[^/]+\.[^/]+\//.test(from))
    throw commandError(`FROM ${from}: there is no such file`);
  return undefined;
}

async function onlyGgufOf(folder: string, from: string): Promise<string> {
  const models = (await readdir(folder)).filter(isModelFile).sort();
  const [only] = models;
  if (only !== undefined && models.length === 1) return path.join(folder, only);
  throw commandError(
    only === undefined
      ? `FROM ${from}: there is no GGUF file in this folder, and other formats are not supported`
      : `FROM ${from}: this folder has several GGUF files; name one: ${models.join(', ')}`,
  );
}

async function uploadOnce(context: CommandContext, file: string): Promise<string> {
  const { size } = await readable(file, stat(file));
  const digest = await hashFile(context, file, size);
  const route = `/api/blobs/${digest}`;
  if (await context.client.exists(route)) return digest;
  const content = createReadStream(file, { highWaterMark: 256 * 1024 });
  const sending = context.client.upload(route, content, size);
  const facts = { status: `copying file ${digest.slice(7, 19)}`, digest, total: size };
  await showProgress(context, progressOf(content, sending, facts));
  return digest;
}

async function hashFile(context: CommandContext, file: string, total: number): Promise<string> {
  const content = createReadStream(file, { highWaterMark: 1024 * 1024 });
  const hash = createHash('sha256');
  const hashAll = async () => {
    for await (const part of content) hash.update(part as Buffer);
  };
  const facts = { status: `hashing ${path.basename(file)}`, total };
  await showProgress(context, progressOf(content, readable(file, hashAll()), facts));
  return `sha256:${hash.digest('hex')}`;
}

async function readable<T>(file: string, reading: Promise<T>): Promise<T> {
  return await reading.catch(() => {
    throw commandError(`${file} cannot be read`);
  });
}

/** How far a file is read, until the work that reads it is done. */
async function* progressOf(
  content: ReadStream,
  work: Promise<unknown>,
  facts: { readonly status: string; readonly digest?: string; readonly total: number },
): AsyncGenerator<ProgressResponse> {
  let isDone = false;
  // A failure is met below; until then it must not count as unhandled.
  const end = work
    .catch(() => undefined)
    .finally(() => {
      isDone = true;
    });
  while (!isDone) {
    yield { ...facts, completed: content.bytesRead };
    await Promise.race([end, wait(100)]);
  }
  await work;
  yield { ...facts, completed: facts.total };
}
