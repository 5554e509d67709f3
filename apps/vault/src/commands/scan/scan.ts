import { StartupError } from '@hearth/service-kit/startup-error';
import { filesAt, type OnProblem } from './source.js';
import { stagedFiles } from './staged-files.js';
import type { FoundToken } from './token-search.js';

export interface ScanOptions {
  readonly json: boolean;
  /** What git would commit next, instead of paths. */
  readonly staged: boolean;
}

interface ScanResult {
  readonly found: (FoundToken & { readonly file: string })[];
  files: number;
  /** Files that are not text. */
  skipped: number;
  unreadable: number;
}

/** As grep has it: 1 where something was found (so that a hook stops), 2 where something could not be read. */
const exitCodes = { clean: 0, found: 1, failed: 2 } as const;

/** Looks for tokens of the vault in files, without a vault: nothing but a hint of each is told to anybody. */
export async function scanCommand(paths: readonly string[], options: ScanOptions): Promise<void> {
  if (options.staged && paths.length > 0) {
    throw new StartupError(
      '--staged looks at what git would commit: give no paths with it',
      exitCodes.failed,
    );
  }
  const result: ScanResult = { found: [], files: 0, skipped: 0, unreadable: 0 };
  const onProblem: OnProblem = (name, { code }) => {
    result.unreadable += 1;
    process.stderr.write(`hearth-vault: cannot read ${printable(name)} (${code ?? 'unknown error'})\n`);
  };
  const sources = options.staged ? stagedFiles() : filesAt(paths.length === 0 ? ['.'] : paths, onProblem);
  for await (const { name, scan } of sources) {
    try {
      const tokens = await scan();
      if (tokens === undefined) result.skipped += 1;
      else result.files += 1;
      for (const token of tokens ?? []) {
        result.found.push({ file: name, ...token });
        if (!options.json) process.stdout.write(`${printable(name)}:${token.line}: ${token.hint}\n`);
      }
    } catch (error) {
      if (error instanceof StartupError) throw error;
      onProblem(name, error as NodeJS.ErrnoException);
    }
  }
  if (options.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  else process.stderr.write(summary(result));
  process.exitCode = exitCodeOf(result);
}

function exitCodeOf({ found, unreadable }: ScanResult): number {
  if (found.length > 0) return exitCodes.found;
  return unreadable > 0 ? exitCodes.failed : exitCodes.clean;
}

function summary({ found, files, skipped }: ScanResult): string {
  const leftOut = skipped === 0 ? '' : ` (${skipped} left out that ${skipped === 1 ? 'is' : 'are'} not text)`;
  const looked = `${files} ${files === 1 ? 'file' : 'files'}${leftOut}`;
  if (found.length === 0) return `no tokens in ${looked}\n`;
  return `${found.length} ${found.length === 1 ? 'token' : 'tokens'} in ${looked}: take them out, and revoke those that have left this machine\n`;
}

/** A name may hold anything, also what moves a terminal's cursor. */
function printable(name: string): string {
  return name.replace(/\p{Cc}/gu, '?');
}
