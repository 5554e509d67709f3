import { readFileSync, writeFileSync } from 'node:fs';
import { StartupError } from '@hearth/service-kit/startup-error';
import { type Command, InvalidArgumentError } from 'commander';
import { readHidden, readStdin } from './read-input.js';
import { runWithSecrets } from './run-with-secrets.js';
import { defaultUrl, findLogin, loginFile, saveLogin, vaultAddress } from './stored-login.js';
import { createVaultClient, type Place, type VaultClient } from './vault-client.js';

interface PlaceFlags {
  readonly url?: string;
  readonly vault?: string;
  readonly env: string;
  readonly path: string;
}

interface ImportFlags {
  readonly mode: string;
  readonly dryRun?: boolean;
  readonly ifRevision?: number;
}

/** The commands that speak to a vault over HTTP, wherever it runs. */
export function addClientCommands(program: Command, env: NodeJS.ProcessEnv): void {
  const out = (text: string) => process.stdout.write(text);

  async function open(flags: PlaceFlags): Promise<{ client: VaultClient; place: Place }> {
    const client = createVaultClient(findLogin(env, flags));
    const { id } = await client.findVault(flags.vault ?? (env['HEARTH_VAULT_NAME'] || undefined));
    return { client, place: { vaultId: id, env: flags.env, path: flags.path } };
  }

  const command = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .option('--url <url>', `address of the vault (HEARTH_VAULT_URL, default: ${defaultUrl})`)
      .option('--vault <name>', 'vault by name or id (HEARTH_VAULT_NAME, default: the first)')
      .option('--env <slug>', 'environment', 'dev')
      .option('--path <folder>', 'folder', '/');

  program
    .command('login')
    .description('store an API token for the commands below; it is read from standard input')
    .option('--url <url>', `address of the vault (default: ${defaultUrl})`)
    .action(async (flags: { url?: string }) => {
      const url = vaultAddress(flags.url ?? (env['HEARTH_VAULT_URL'] || defaultUrl));
      const token = await readHidden('API token: ');
      const { name, effective_scopes: scopes } = await createVaultClient({ url, token }).whoAmI();
      saveLogin(loginFile(env), { url, token });
      out(`logged in to ${url} as "${name}" (${scopes.join(', ')})\n`);
    });

  command('ls', 'list secrets, without their values')
    .option('--json', 'as JSON')
    .action(async (flags: PlaceFlags & { json?: boolean }) => {
      const { client, place } = await open(flags);
      const secrets = await client.list(place, false);
      if (flags.json) {
        out(`${JSON.stringify(secrets, null, 2)}\n`);
        return;
      }
      for (const { key, version, updated_at: at, tags } of secrets) {
        out(`${[key, `v${version}`, at, tags.join(',')].join('\t').trimEnd()}\n`);
      }
    });

  command('get <key>', 'print the value of a secret')
    .option('--version-number <n>', 'an earlier version')
    .action(async (key: string, flags: PlaceFlags & { versionNumber?: string }) => {
      const { client, place } = await open(flags);
      const { value, encoding } = await client.read(place, key, flags.versionNumber);
      process.stdout.write(Buffer.from(value, encoding));
      // For eyes only: a program gets the value and nothing else.
      if (process.stdout.isTTY) out('\n');
    });

  command('set <key>', 'write a secret; its value is read from standard input')
    .option('--note <text>', 'what it is for')
    .option('--exact', 'keep the line end at the end of the input')
    .option('--create', 'only if there is no such secret yet')
    .option('--if-version <n>', 'only if this is the current version', wholeNumber)
    .action(
      async (
        key: string,
        flags: PlaceFlags & { note?: string; exact?: boolean; create?: boolean; ifVersion?: number },
      ) => {
        const input = process.stdin.isTTY ? Buffer.from(await readHidden('value: ')) : await readStdin();
        const { client, place } = await open(flags);
        const headers = {
          ...(flags.create ? { 'if-none-match': '*' } : {}),
          ...(flags.ifVersion === undefined ? {} : { 'if-match': `"${flags.ifVersion}"` }),
        };
        const value = flags.exact ? input : withoutLineEnd(input);
        const written = await client.write(place, key, { ...encode(value), note: flags.note }, headers);
        out(written.changed ? `${key} is now version ${written.version}\n` : `${key} is unchanged\n`);
      },
    );

  command('import <file>', 'import a .env file; - reads standard input')
    .option('--mode <mode>', 'merge, skip (only add) or replace (also remove)', 'merge')
    .option('--dry-run', 'only say what would happen')
    .option('--if-revision <n>', 'only if the vault is still as a dry run saw it', wholeNumber)
    .action(async (file: string, flags: PlaceFlags & ImportFlags) => {
      const text = file === '-' ? (await readStdin()).toString('utf8') : readFile(file);
      const { client, place } = await open(flags);
      const { mode, dryRun = false, ifRevision } = flags;
      const { plan, revision } = await client.importFile(place, text, { mode, dryRun, ifRevision });
      for (const [sign, keys] of [
        ['+', plan.added],
        ['~', plan.changed],
        ['-', plan.removed],
        ['=', [...plan.unchanged, ...plan.skipped]],
      ] as const) {
        for (const key of keys) out(`${sign} ${key}\n`);
      }
      for (const { line, reason } of plan.errors) out(`! line ${line}: ${reason}\n`);
      for (const { line, reason } of plan.warnings) process.stderr.write(`line ${line}: ${reason}\n`);
      if (revision !== undefined)
        process.stderr.write(`nothing was written; the vault is at revision ${revision}\n`);
      if (plan.errors.length > 0) process.exitCode = 1;
    });

  command('export', 'print all values of an environment')
    .option('--format <format>', 'dotenv, json, yaml, shell or docker', 'dotenv')
    .option('-o, --output <file>', 'write to a new file that only you may read')
    .action(async (flags: PlaceFlags & { format: string; output?: string }) => {
      const { client, place } = await open(flags);
      const text = await client.exportFile(place, flags.format);
      if (flags.output === undefined) out(text);
      else writeNewFile(flags.output, text);
    });

  command('rollback <key>', 'make an earlier version the newest')
    .requiredOption('--to <n>', 'the version to bring back', wholeNumber)
    .option('--if-version <n>', 'only if this is the current version', wholeNumber)
    .action(async (key: string, flags: PlaceFlags & { to: number; ifVersion?: number }) => {
      const { client, place } = await open(flags);
      const { version, changed } = await client.rollback(place, key, flags.to, flags.ifVersion);
      out(
        changed ? `${key} is now version ${version}, as version ${flags.to} was\n` : `${key} is unchanged\n`,
      );
    });

  command('run', 'run a program with the secrets in its environment: run -- program arguments')
    .argument('<program...>')
    .passThroughOptions()
    .option('--only <keys>', 'only these secrets, separated by commas')
    .option('--allow-unsafe-env', 'also set variables that can make a program run something else')
    .action(async (program: string[], flags: PlaceFlags & { only?: string; allowUnsafeEnv?: boolean }) => {
      const { client, place } = await open(flags);
      const all = await client.list(place, true);
      const secrets = Object.fromEntries(all.map(({ key, value = '' }) => [key, value]));
      process.exitCode = await runWithSecrets({
        command: program,
        secrets: flags.only === undefined ? secrets : chosen(secrets, flags.only.split(',')),
        env,
        allowUnsafe: flags.allowUnsafeEnv ?? false,
      });
    });
}

function chosen(secrets: Readonly<Record<string, string>>, keys: readonly string[]): Record<string, string> {
  const wanted = keys.map((key) => key.trim()).filter((key) => key !== '');
  const missing = wanted.filter((key) => secrets[key] === undefined);
  if (missing.length > 0) throw new StartupError(`there is no secret ${missing.join(', ')}`);
  return Object.fromEntries(wanted.map((key) => [key, secrets[key] as string]));
}

function encode(value: Buffer): { value: string; encoding: 'utf8' | 'base64' } {
  const text = value.toString('utf8');
  const isText = Buffer.from(text, 'utf8').equals(value) && !text.includes('\0');
  return isText ? { value: text, encoding: 'utf8' } : { value: value.toString('base64'), encoding: 'base64' };
}

/** `echo value | hearth-vault set KEY` means the value, not the line end that echo adds. */
function withoutLineEnd(input: Buffer): Buffer {
  const end = input.at(-1) === 0x0a ? (input.at(-2) === 0x0d ? 2 : 1) : 0;
  return input.subarray(0, input.length - end);
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('must be a version number');
  return Number(text);
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartupError(
      `cannot read ${file} (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`,
    );
  }
}

function writeNewFile(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(code === 'EEXIST' ? `${file} is already there` : `cannot write ${file} (${code})`);
  }
}
