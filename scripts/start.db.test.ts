import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '..');

let dataFolder: string;
let child: ChildProcess | undefined;
let output = '';

beforeEach(async () => {
  dataFolder = await mkdtemp(path.join(tmpdir(), 'hearth-start-'));
  output = '';
});

afterEach(async () => {
  if (child?.exitCode === null) {
    child.kill('SIGTERM');
    await exited();
  }
  // A vault that is stopped in the middle of its first start leaves initdb behind for a moment.
  await rm(dataFolder, { recursive: true, force: true, maxRetries: 20 });
});

function start(env: Record<string, string> = {}): void {
  child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env: { ...process.env, HEARTH_DATA: dataFolder, HEARTH_PORT: '0', HEARTH_VAULT_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
}

function exited(): Promise<number | null> {
  return new Promise((resolve) => {
    if (child && child.exitCode !== null) resolve(child.exitCode);
    else child?.once('exit', (code) => resolve(code));
  });
}

/** The address on the line of the greeting that begins with this name. */
async function addressOf(name: string): Promise<string> {
  const line = new RegExp(`^ +${name} +(http://\\S+)`, 'm');
  while (!line.test(output)) {
    if (child?.exitCode !== null) throw new Error(`it ended early: ${output}`);
    await new Promise((resolve) => child?.stdout?.once('data', resolve));
  }
  return (line.exec(output) as RegExpExecArray)[1] as string;
}

describe('npm start', () => {
  test('brings both services up on an empty folder, answers both printed lines, and stops cleanly', async () => {
    start();
    const tags = await fetch(`${await addressOf('model server')}/api/tags`);
    expect(tags.status).toBe(200);
    expect(await tags.json()).toMatchObject({ models: [{ name: 'ember:latest' }] });
    const vaults = await fetch(`${await addressOf('vault')}/api/secrets/vaults`);
    expect(vaults.status).toBe(401);
    expect(vaults.headers.get('content-type')).toContain('application/problem+json');
    child?.kill('SIGINT');
    expect(await exited()).toBe(0);
  }, 120_000);

  test('with a busy port ends with one clear line, a failure code and no stack trace', async () => {
    const busy = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => busy.once('listening', resolve));
    const { port } = busy.address() as { port: number };
    start({ HEARTH_PORT: String(port) });
    expect(await exited()).toBe(1);
    busy.close();
    const complaint = output.split('\n').filter((line) => line.startsWith('hearth:'));
    expect(complaint).toEqual([
      `hearth: 127.0.0.1:${port} is already in use; stop the other program or choose another port with --port or HEARTH_PORT`,
    ]);
    expect(output).not.toMatch(/^\s+at /m);
  }, 120_000);
});
