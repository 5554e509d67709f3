import { accessSync, constants, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { StartupError } from './startup-error.js';

/** Where state lives when `HEARTH_DATA` is not set: the user's data folder by the XDG rules. */
export function defaultDataFolder(env: NodeJS.ProcessEnv): string {
  const xdg = env['XDG_DATA_HOME'];
  // The XDG rules say that a relative path must be ignored.
  const base = xdg && path.isAbsolute(xdg) ? xdg : path.join(homedir(), '.local', 'share');
  return path.join(base, 'hearth');
}

/** Makes a folder that holds state, private to its owner, and proves that this process may write to it. */
export function ensureWritableFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new StartupError(
      `cannot write to the data folder ${folder} (${code}); set HEARTH_DATA to a folder this user may write to`,
    );
  }
  return folder;
}
