import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { StartupError } from '@hearth/service-kit/startup-error';
import { scanStream } from './scan-stream.js';
import type { Source } from './source.js';

/**
 * What the next commit would add or change, as it is staged: what lies in the folder may already be another text.
 * A commit that takes a token out is therefore let through.
 */
export async function* stagedFiles(): AsyncIterable<Source> {
  const chunks: Buffer[] = [];
  const listed = ['diff', '--cached', '--name-only', '--diff-filter=ACMR', '--ignore-submodules', '-z'];
  for await (const chunk of git(listed)) chunks.push(chunk);
  for (const name of Buffer.concat(chunks).toString('utf8').split('\0')) {
    if (name !== '') {
      yield { name, scan: () => scanStream(git(['cat-file', 'blob', `:${name}`]), { evenBinary: false }) };
    }
  }
}

async function* git(args: readonly string[]): AsyncIterable<Buffer> {
  const child = spawn('git', [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  const ended = once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(`cannot run git (${error.code ?? 'unknown error'})`, 2);
  });
  // Looked at below, also when reading ends before it.
  ended.catch(() => undefined);
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer;
    const [code] = (await ended) as [number | null];
    if (code !== 0) throw new StartupError(`git ${args[0]} failed: ${said.split('\n')[0]}`, 2);
  } finally {
    child.kill();
  }
}
