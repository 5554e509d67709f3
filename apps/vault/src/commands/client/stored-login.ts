import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { StartupError } from '@hearth/service-kit/startup-error';
import { z } from 'zod';

/** Which vault the command line talks to, and as whom. */
export interface Login {
  readonly url: string;
  readonly token: string;
}

const loginSchema = z.object({ url: z.string(), token: z.string() });

/** By the XDG rules, where settings of a person belong. */
export function loginFile(env: NodeJS.ProcessEnv): string {
  const xdg = env['XDG_CONFIG_HOME'];
  const base = xdg && path.isAbsolute(xdg) ? xdg : path.join(homedir(), '.config');
  return path.join(base, 'hearth', 'vault-login.json');
}

/** Kept readable for its owner only: the token in it is as good as the secrets it opens. */
export function saveLogin(file: string, login: Login): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export const defaultUrl = 'http://127.0.0.1:3000';

/** From the environment (for machines), else from what `login` stored (for people). */
export function findLogin(env: NodeJS.ProcessEnv, flags: { readonly url?: string | undefined }): Login {
  const stored = readLogin(loginFile(env));
  const token = env['HEARTH_VAULT_TOKEN'] || stored?.token;
  if (!token) {
    throw new StartupError(
      'not logged in: run hearth-vault login, or set HEARTH_VAULT_TOKEN to an API token',
    );
  }
  const url = flags.url ?? (env['HEARTH_VAULT_URL'] || stored?.url || defaultUrl);
  return { url: vaultAddress(url), token };
}

/** A token must not travel in the clear, except inside this machine. */
export function vaultAddress(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new StartupError('the address of the vault must be like https://vault.example.com');
  }
  const isLocal = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) {
    throw new StartupError('the vault must be reached over https, unless it is on this machine');
  }
  return url.origin;
}

function readLogin(file: string): Login | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  try {
    return loginSchema.parse(JSON.parse(text));
  } catch {
    throw new StartupError(`${file} is damaged: run hearth-vault login again`);
  }
}
