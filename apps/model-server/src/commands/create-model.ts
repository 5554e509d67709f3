import { createReadStream, existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { ProgressResponse } from '@hearth/protocol-types/runner/progress-response';
import { shardPaths } from '../models/gguf/gguf-shards.js';
import { hashFile } from '../models/transfer/file-hasher.js';
import { type CommandContext, commandError } from './command-context.js';
import { parseModelfile } from './parse-modelfile.js';
import { showProgress } from './show-progress.js';

/** Makes a model from a Modelfile; GGUF files it names are sent to the server first, those it has already are not. */
export async function createModel(
  context: CommandContext,
  name: string,
  options: { readonly file: string },
): Promise<void> {
  const text = await readFile(options.file, 'utf8').catch(() => {
    throw commandError(`cannot read ${options.file}; name the Modelfile with -f`);
  });
  const { from, licenses, ...rest } = parseModelfile(text);
  const file = localFile(from, path.dirname(path.resolve(options.file)));
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
  };
  await showProgress(context, context.client.lines<ProgressResponse>('/api/create', body));
}

/** FROM names a file when it looks like a path or when such a file is there. */
function localFile(from: string, folder: string): string | undefined {
  const expanded = from.startsWith('~/') ? path.join(homedir(), from.slice(2)) : from;
  const full = path.resolve(folder, expanded);
  const looksLikePath = /^(\.{0,2}\/|~\/)/.test(from) || /\.gguf$/i.test(from);
  if (existsSync(full) && (looksLikePath || !from.includes(':'))) return full;
  if (looksLikePath && !/^[^/]+\.[^/]+\//.test(from))
    throw commandError(`FROM ${from}: there is no such file`);
  return undefined;
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
