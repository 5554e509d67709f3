import { createReadStream } from 'node:fs';
import { scanStream } from './scan-stream.js';
import type { FoundToken } from './token-search.js';
import { walkFiles } from './walk-files.js';

/** Something to look into, by the name that people know it by. */
export interface Source {
  readonly name: string;
  /** Undefined for what is not text. */
  scan(): Promise<FoundToken[] | undefined>;
}

export type OnProblem = (name: string, error: NodeJS.ErrnoException) => void;

const pieceBytes = 256 * 1024;

/** Every file at or below these paths; `-` is standard input, which is looked into whatever it holds. */
export async function* filesAt(paths: readonly string[], onProblem: OnProblem): AsyncIterable<Source> {
  for (const start of paths) {
    if (start === '-') {
      yield { name: '-', scan: () => scanStream(process.stdin, { evenBinary: true }) };
      continue;
    }
    for await (const name of walkFiles(start, onProblem)) {
      const stream = () => createReadStream(name, { highWaterMark: pieceBytes });
      yield { name, scan: () => scanStream(stream(), { evenBinary: false }) };
    }
  }
}
