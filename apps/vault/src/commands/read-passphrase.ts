import { readFile } from 'node:fs/promises';
import { StartupError } from '@hearth/service-kit/startup-error';
import { passphraseProblem } from '../crypto/passphrase-problem.js';
import { readHidden, readStdin } from './client/read-input.js';

/**
 * A passphrase from a file, or from standard input for `-`. Never from an argument: those are seen by every process
 * of the machine. White space at its ends is no part of it, because editors and pipes add line ends.
 */
export async function readPassphrase(
  source: string,
  options: {
    /** Whether it is to seal something, and not to open what it sealed: then it must be long, and is typed twice. */
    readonly seals: boolean;
    readonly question?: string;
  },
): Promise<string> {
  const typed = source === '-' && process.stdin.isTTY;
  const passphrase = typed
    ? await readHidden(options.question ?? 'passphrase: ')
    : textOf(await bytesOf(source), source);
  const from = source === '-' ? 'the passphrase on standard input' : `the passphrase in ${source}`;
  const problem = passphraseProblem(passphrase, options);
  if (problem !== undefined) throw new StartupError(`${from} ${problem}`);
  // Nobody would notice a slip of the finger before the day on which the passphrase is needed.
  if (typed && options.seals && (await readHidden('the same again: ')) !== passphrase) {
    throw new StartupError('the two passphrases are not the same');
  }
  return passphrase;
}

async function bytesOf(source: string): Promise<Buffer> {
  if (source === '-') return readStdin();
  return readFile(source).catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(`cannot read the passphrase file ${source} (${error.code ?? 'unknown error'})`);
  });
}

/** Random bytes read as text would all become the same mark, and a strong passphrase a weak one. */
function textOf(bytes: Buffer, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch {
    throw new StartupError(
      `the passphrase ${source === '-' ? 'on standard input' : `in ${source}`} is not text in UTF-8`,
    );
  }
}
