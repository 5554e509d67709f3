import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** All of standard input, as bytes. */
export async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

/** One line from a person, without showing what is typed; from a pipe, all of it. */
export async function readHidden(question: string): Promise<string> {
  if (!process.stdin.isTTY) return (await readStdin()).toString('utf8').trim();
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return (await terminal.question('')).trim();
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
