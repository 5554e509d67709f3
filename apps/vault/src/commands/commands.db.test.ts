import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiUser, startTestApi, type TestApi, type TokenCall } from '../../test/api.js';
import { runCli } from '../../test/vault-process.js';

let api: TestApi;
let ada: ApiUser;
let token: TokenCall;
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  api = await startTestApi();
  ada = await api.user();
  token = await ada.token(
    ['secrets:read', 'secrets:write', 'secrets:rollback', 'import:write', 'export:read'],
    { name: 'cli' },
  );
  folder = mkdtempSync(path.join(tmpdir(), 'vault-cli-'));
  env = { HEARTH_VAULT_URL: api.url, HEARTH_VAULT_TOKEN: token.value };
}, 60_000);

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await api.close();
});

const value = async (key: string) =>
  (await token('GET', `${ada.vaultPath}/secrets/${key}?env=dev`)).json.value;

test('login checks the token, keeps it for its owner only, and the other commands use it', async () => {
  const config = { XDG_CONFIG_HOME: folder };
  const bad = await runCli(['login', '--url', api.url], { env: config, input: 'sk-svc-wrong\n' });
  expect(bad).toMatchObject({ code: 77, stdout: '' });
  expect(bad.stderr).toMatch(/^hearth-vault: the vault does not accept this token/);
  const good = await runCli(['login', '--url', api.url], { env: config, input: `${token.value}\n` });
  expect(good).toMatchObject({ code: 0, stderr: '' });
  expect(good.stdout).toContain('as "cli"');
  expect(good.stdout).not.toContain(token.value);
  expect(statSync(path.join(folder, 'hearth', 'vault-login.json')).mode & 0o777).toBe(0o600);
  await runCli(['set', 'FROM_LOGIN'], { env: config, input: 'x' });
  expect(await value('FROM_LOGIN')).toBe('x');
}, 60_000);

test('a token is not sent over plain http to another machine', async () => {
  const result = await runCli(['ls', '--url', 'http://vault.example.com'], { env });
  expect(result).toMatchObject({ code: 1, stdout: '' });
  expect(result.stderr).toContain('https');
}, 60_000);

test('set reads the value from standard input and get prints it, byte for byte', async () => {
  const [line] = await Promise.all([
    runCli(['set', 'LINE'], { env, input: 'value\n' }),
    runCli(['set', 'EXACT', '--exact', '--note', 'why'], { env, input: ' two\nlines \n' }),
  ]);
  expect(line.stdout).toBe('LINE is now version 1\n');
  expect(await value('LINE')).toBe('value');
  const [get, exact, refused, listed, missing] = await Promise.all([
    runCli(['get', 'LINE'], { env }),
    runCli(['get', 'EXACT'], { env }),
    runCli(['set', 'LINE', '--create'], { env, input: 'other' }),
    runCli(['ls'], { env }),
    runCli(['get', 'MISSING'], { env }),
  ]);
  expect(get.stdout).toBe('value');
  expect(exact.stdout).toBe(' two\nlines \n');
  expect(refused.code).toBe(1);
  expect(refused.stderr).not.toContain('other');
  expect(listed.stdout).toMatch(/^EXACT\tv1\t/m);
  expect(listed.stdout).not.toContain('two');
  expect(missing.stderr).toBe('hearth-vault: There is no such secret.\n');
}, 60_000);

test('import shows what it does, export gives it back, rollback brings a version back', async () => {
  const file = path.join(folder, '.env');
  writeFileSync(file, "A='one'\nB=two\n");
  expect((await runCli(['import', file, '--dry-run', '--env', 'staging'], { env })).stdout).toBe(
    '+ A\n+ B\n',
  );
  expect((await runCli(['import', file, '--env', 'staging'], { env })).code).toBe(0);
  const output = path.join(folder, 'out.json');
  await runCli(['export', '--env', 'staging', '--format', 'json', '-o', output], { env });
  expect(JSON.parse(readFileSync(output, 'utf8'))).toEqual({ A: 'one', B: 'two' });
  expect(statSync(output).mode & 0o777).toBe(0o600);
  await runCli(['set', 'A', '--env', 'staging'], { env, input: 'changed' });
  const back = await runCli(['rollback', 'A', '--to', '1', '--env', 'staging'], { env });
  expect(back.stdout).toBe('A is now version 3, as version 1 was\n');
  expect((await runCli(['get', 'A', '--env', 'staging'], { env })).stdout).toBe('one');
}, 60_000);

test('in a vault where changes must say what they replace, import and rollback can, and say what is needed', async () => {
  const made = await ada.session('POST', '/api/secrets/vaults', { body: { name: 'Careful' } });
  const vault = `/api/secrets/vaults/${made.json.id}`;
  await ada.session('PUT', `${vault}/secrets/A?env=dev`, { body: { value: 'one' } });
  await ada.session('PATCH', vault, { body: { requires_preconditions: true } });
  const file = path.join(folder, 'careful.env');
  writeFileSync(file, 'A=two\n');
  const run = (...args: string[]) => runCli([...args, '--vault', 'Careful'], { env });
  const [refused, preview] = await Promise.all([run('import', file), run('import', file, '--dry-run')]);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('must say what they replace');
  const revision = /at revision (\d+)/.exec(preview.stderr)?.[1] as string;
  expect(await run('import', file, '--if-revision', revision)).toMatchObject({ code: 0, stdout: '~ A\n' });
  const [late, back] = [
    await run('import', file, '--if-revision', revision),
    await run('rollback', 'A', '--to', '1', '--if-version', '2'),
  ];
  expect(late.code).toBe(1);
  expect(back.stdout).toBe('A is now version 3, as version 1 was\n');
}, 60_000);

describe('run', () => {
  const inProd = async (key: string, text: string) =>
    ada.session('PUT', `${ada.vaultPath}/secrets/${key}?env=prod`, { body: { value: text } });
  const print = 'process.stdout.write(JSON.stringify(process.env))';

  test('gives the secrets to the program without a shell, and keeps the token from it', async () => {
    const nasty = '\'; echo owned; $(id) `id`\n"x"';
    await inProd('NASTY', nasty);
    await inProd('PLAIN', 'p');
    const { stdout, code } = await runCli(
      ['run', '--env', 'prod', '--', process.execPath, '-e', print, '--', '--help'],
      { env },
    );
    expect(code).toBe(0);
    const seen = JSON.parse(stdout);
    expect(seen).toMatchObject({ NASTY: nasty, PLAIN: 'p' });
    expect(seen).not.toHaveProperty('HEARTH_VAULT_TOKEN');
    const only = await runCli(
      ['run', '--env', 'prod', '--only', 'PLAIN', '--', process.execPath, '-e', print],
      { env },
    );
    expect(JSON.parse(only.stdout)).not.toHaveProperty('NASTY');
  }, 60_000);

  test('ends as the program ends, and passes signals on to it', async () => {
    const node = (script: string) => [
      'run',
      '--env',
      'prod',
      '--only',
      'PLAIN',
      '--',
      process.execPath,
      '-e',
      script,
    ];
    await inProd('PLAIN', 'p');
    expect((await runCli(node('process.exit(42)'), { env })).code).toBe(42);
    const waits =
      "process.on('SIGTERM', () => process.exit(7)); process.stdout.write('ready'); setInterval(() => {}, 1000)";
    const result = await runCli(node(waits), {
      env,
      onStart: (child) => {
        if (child.stdout) void once(child.stdout, 'data').then(() => child.kill('SIGTERM'));
      },
    });
    expect(result.code).toBe(7);
    expect((await runCli(['run', '--env', 'prod', '--', '/no/such/program'], { env })).code).toBe(127);
  }, 60_000);

  test('refuses names that could make a program run something else, unless told', async () => {
    await ada.session('PUT', `${ada.vaultPath}/secrets/LD_PRELOAD?env=staging`, {
      body: { value: '/tmp/evil.so' },
    });
    await ada.session('PUT', `${ada.vaultPath}/secrets/NODE_OPTIONS?env=staging`, { body: { value: '' } });
    const refused = await runCli(['run', '--env', 'staging', '--', process.execPath, '-e', print], { env });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/refusing to set LD_PRELOAD, NODE_OPTIONS/);
    const allowed = await runCli(
      [
        'run',
        '--env',
        'staging',
        '--only',
        'NODE_OPTIONS',
        '--allow-unsafe-env',
        '--',
        process.execPath,
        '-e',
        print,
      ],
      { env },
    );
    expect(JSON.parse(allowed.stdout)).toHaveProperty('NODE_OPTIONS');
  }, 60_000);
});
