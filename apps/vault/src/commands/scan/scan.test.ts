import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { plainEnv } from '../../../test/start-program.js';
import { cli, runCli } from '../../../test/vault-process.js';
import { mintToken } from '../../crypto/api-token.js';

const token = mintToken().value;
const hint = `sk-svc-…${token.slice(43, 47)}`;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vault-scan-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, content: string | Buffer): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

test('finds tokens below a folder by file and line, and tells no more of them than a hint', async () => {
  put('b/.env', `A=1\nTOKEN=${token}\n`);
  put('a.txt', `${'x'.repeat(300_000)}\n${token}`);
  put('windows.txt', Buffer.from(`\ufeffTOKEN\r\n${token}`, 'utf16le'));
  put('image.png', Buffer.concat([Buffer.from([0x89, 0x50, 0, 0]), Buffer.from(token)]));
  put('node_modules/x/index.js', token);
  put('.git/config', token);
  put('example.md', `sk-svc-${'0'.repeat(46)}`);
  symlinkSync(path.join(folder, 'b'), path.join(folder, 'link'));
  const result = await runCli(['scan', folder]);
  expect(result.code).toBe(1);
  expect(result.stdout).toBe(
    ['a.txt:2', 'b/.env:2', 'windows.txt:2'].map((at) => `${folder}/${at}: ${hint}\n`).join(''),
  );
  expect(result.stderr).toMatch(/^3 tokens in 4 files \(1 left out that is not text\): [^\n]+\n$/);
  expect(result.stdout + result.stderr).not.toContain(token.slice(7, 40));
}, 30_000);

test('is content with a clean folder, and says so as JSON for programs', async () => {
  put('a.txt', 'nothing');
  expect(await runCli(['scan', folder])).toEqual({ code: 0, stdout: '', stderr: 'no tokens in 1 file\n' });
  const file = put('b.txt', `  ${token}`);
  const { code, stdout, stderr } = await runCli(['scan', '--json', folder]);
  expect([code, stderr]).toEqual([1, '']);
  expect(JSON.parse(stdout)).toEqual({
    found: [{ file, line: 1, column: 3, hint }],
    files: 2,
    skipped: 0,
    unreadable: 0,
  });
}, 30_000);

test('reads standard input, and folders that are left out when they are named', async () => {
  expect(await runCli(['scan', '-'], { input: `+ TOKEN=${token}\n` })).toMatchObject({
    code: 1,
    stdout: `-:1: ${hint}\n`,
  });
  put('node_modules/x.js', token);
  expect((await runCli(['scan', path.join(folder, 'node_modules')])).code).toBe(1);
}, 30_000);

test('what cannot be read is named and is no success, and names cannot move a cursor', async () => {
  put('a\u001b[2J.txt', token);
  const missing = await runCli(['scan', path.join(folder, 'none')]);
  expect(missing).toMatchObject({ code: 2, stdout: '' });
  expect(missing.stderr).toMatch(/^hearth-vault: cannot read .*none \(ENOENT\)\n/);
  const both = await runCli(['scan', path.join(folder, 'none'), folder]);
  expect(both.code).toBe(1);
  expect(both.stdout).toBe(`${folder}/a?[2J.txt:1: ${hint}\n`);
}, 30_000);

describe('as a hook of git', () => {
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      cwd: folder,
      env: { ...plainEnv, GIT_CONFIG_NOSYSTEM: '1' },
      encoding: 'utf8',
    });
  const commit = (...args: string[]) => {
    const { status, stdout, stderr } = git('commit', '-qm', 'change', ...args);
    return { status, said: stdout + stderr };
  };

  beforeEach(() => {
    expect(git('init', '-q').status).toBe(0);
    put('.git/hooks/pre-commit', `#!/bin/sh\nexec "${process.execPath}" "${cli}" scan --staged\n`);
    chmodSync(path.join(folder, '.git/hooks/pre-commit'), 0o755);
  });

  test('it stops a commit that would carry a token away, also where the file was mended after it was staged', () => {
    put('sub/bad name.ts', `// a\nexport const token = '${token}';\n`);
    git('add', '.');
    const stopped = commit();
    expect(stopped.status).toBe(1);
    expect(stopped.said).toContain(`sub/bad name.ts:2: ${hint}\n`);
    put('sub/bad name.ts', 'mended\n');
    expect(commit().status).toBe(1);
    expect(commit('-a').status).toBe(0);
  }, 30_000);

  test('it looks into what a file was turned into, and into files with names that git would read otherwise', () => {
    symlinkSync('elsewhere', path.join(folder, 'was a link'));
    put('was a file', 'x');
    git('add', '.');
    expect(git('commit', '-qm', 'link', '--no-verify').status).toBe(0);
    rmSync(path.join(folder, 'was a link'));
    put('was a link', `${token}\n`);
    put('1:notes.txt', `${token}\n`);
    put(':top.txt', `${token}\n`);
    git('add', '.');
    // As a submodule is staged; there is nothing of it to look into.
    git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
    git('update-index', '--cacheinfo', `160000,${'2'.repeat(40)},was a file`);
    const stopped = commit();
    expect(stopped).toMatchObject({
      status: 1,
      said: expect.stringMatching(/^3 tokens in 3 files: /m),
    });
    for (const name of ['was a link', '1:notes.txt', ':top.txt']) {
      expect(stopped.said).toContain(`${name}:1: ${hint}\n`);
    }
  }, 30_000);

  test('it lets a commit through that takes a token out, or whose token lies in a file that is not staged', () => {
    put('a.txt', token);
    git('add', '.');
    expect(git('commit', '-qm', 'unseen', '--no-verify').status).toBe(0);
    put('a.txt', 'gone');
    git('add', '.');
    put('b.txt', token);
    expect(commit()).toMatchObject({ status: 0, said: expect.stringContaining('no tokens in 1 file') });
  }, 30_000);
});

test('outside of a repository, and with paths beside it, staged is refused in one line', async () => {
  const outside = spawnSync(process.execPath, [cli, 'scan', '--staged'], {
    cwd: folder,
    env: { ...plainEnv, GIT_CEILING_DIRECTORIES: path.dirname(folder) },
    encoding: 'utf8',
  });
  expect(outside).toMatchObject({ status: 2, stdout: '' });
  expect(outside.stderr).toMatch(/^hearth-vault: git diff failed: [^\n]+\n$/);
  expect(await runCli(['scan', '--staged', folder])).toMatchObject({ code: 2, stdout: '' });
}, 30_000);
