import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { StartupError } from '@hearth/service-kit/startup-error';
import { scanStream } from './scan-stream.js';
import type { Source } from './source.js';

// Added, changed, or turned into another kind: a link into a file, say. A renamed file is an added one.
const listed = ['diff', '--cached', '--raw', '-z', '--no-abbrev', '--no-renames', '--diff-filter=AMT'];
/** `:<mode before> <mode> <id before> <id> <status>`, then the name. */
const change = /:\d+ (\d+) [0-9a-f]+ ([0-9a-f]+) [A-Z]\0([^\0]+)\0/g;
/** Holds the id of a commit elsewhere, and nothing to look into. */
const submodule = '160000';

/**
 * What the next commit would add or change, as it is staged: what lies in the folder may already be another text.
 * A commit that takes a token out is therefore let through.
 */
export async function* stagedFiles(): AsyncIterable<Source> {
  const chunks: Buffer[] = [];
  for await (const chunk of git(listed)) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  for (const [, mode, id = '', name = ''] of text.matchAll(change)) {
    if (mode === submodule) continue;
    // By its id, because a name such as 1:x or ./x means another thing to git than the file of that name.
    yield { name, scan: () => scanStream(git(['cat-file', 'blob', id]), { evenBinary: false }) };
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
