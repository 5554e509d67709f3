import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { ProgressResponse } from '@hearth/protocol-types/runner/progress-response';
import { shardPaths } from '../models/gguf/gguf-shards.js';
import { isModelFile } from '../models/in-place/find-gguf-files.js';
import { hashFile } from '../models/transfer/file-hasher.js';
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
  const { size } = await stat(file).catch(() => {
    throw commandError(`${file} cannot be read`);
  });
  context.stderr.write(`hashing ${path.basename(file)}\n`);
  const digest = `sha256:${await hashFile(file)}`;
  const route = `/api/blobs/${digest}`;
  if (await context.client.exists(route)) return digest;
  await showProgress(context, upload(context, file, route, digest, size));
  return digest;
}

async function* upload(
  context: CommandContext,
  file: string,
  route: string,
  digest: string,
  total: number,
): AsyncGenerator<ProgressResponse> {
  const content = createReadStream(file, { highWaterMark: 256 * 1024 });
  const status = `copying file ${digest.slice(7, 19)}`;
  let completed = 0;
  content.on('data', (part) => {
    completed += part.length;
  });
  let done = false;
  const sending = context.client.upload(route, content, total).finally(() => {
    done = true;
  });
  // Met below; until then it must not count as unhandled.
  sending.catch(() => undefined);
  while (!done) {
    yield { status, digest, total, completed };
    await Promise.race([sending.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 100))]);
  }
  await sending;
  yield { status, digest, total, completed: total };
}
