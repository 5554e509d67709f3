import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { GenerationError } from '../../generation/generation-error.js';

const fileSchema = z.object({
  auths: z
    .record(
      z.string(),
      z.object({
        auth: z.string().optional(),
        username: z.string().optional(),
        password: z.string().optional(),
      }),
    )
    .default({}),
});

/**
 * User names and passwords for registries, from the file that `docker login` and its kin write. It is read anew for
 * each use, so that a fresh login needs no restart.
 */
export class RegistryCredentials {
  constructor(private readonly file: string | undefined) {}

  /** The `Authorization` for this host (`name` or `name:port`), if the file has a login for it. */
  async basicFor(host: string): Promise<string | undefined> {
    if (this.file === undefined) return undefined;
    const { auths } = await this.read(this.file);
    const entry = Object.entries(auths).find(([address]) => hostOf(address) === host.toLowerCase())?.[1];
    if (!entry) return undefined;
    if (entry.auth) return `Basic ${entry.auth}`;
    if (entry.username === undefined || entry.password === undefined) return undefined;
    return `Basic ${Buffer.from(`${entry.username}:${entry.password}`).toString('base64')}`;
  }

  private async read(file: string): Promise<z.output<typeof fileSchema>> {
    try {
      return fileSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    } catch {
      // Neither the content nor the parser's complaint about it: both may show a password.
      throw new GenerationError('conflict', `the logins for registries in ${file} cannot be read`);
    }
  }
}

/** Entries are plain hosts, or addresses such as `https://host/v1/`. */
function hostOf(address: string): string | undefined {
  return address
    .replace(/^https?:\/\//i, '')
    .split('/')[0]
    ?.toLowerCase();
}
