import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { runCommand } from '../../test/run-command.js';
import { closeAfterEach, startTestServer } from '../../test/test-server.js';

jest.setTimeout(60_000);

const closeLater = closeAfterEach();

/** Something that listens where a model server should. */
async function serverThat(answer: Parameters<typeof startTestServer>[0]) {
  return closeLater(await startTestServer(answer));
}

test.each([['list'], ['pull', 'x'], ['show', 'x'], ['run', 'x', 'hi']])(
  'another program at that address is named as the likely mistake (%s)',
  async (...args) => {
    const page = await serverThat((_request, response) => void response.end('<html>'));
    const missing = await serverThat((_request, response) => void response.writeHead(404).end('<html>'));
    for (const { url } of [page, missing]) {
      expect(await runCommand(url, args)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('is HEARTH_HOST right?'),
      });
    }
  },
);

test('a redirect is told with its target', async () => {
  const { url } = await serverThat(
    (_request, response) => void response.writeHead(301, { location: 'https://models.example/' }).end(),
  );
  expect(await runCommand(url, ['list'])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('redirects to https://models.example/'),
  });
});

test('a server that goes away in the middle of an answer is told in one line', async () => {
  const { url } = await serverThat((_request, response) => {
    response.writeHead(200);
    response.write('{"status":"pulling manifest"}\n', () => response.destroy());
  });
  const { exitCode, stderr } = await runCommand(url, ['pull', 'x']);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('pulling manifest\n');
  expect(stderr).toContain('broke off before the answer was complete\n');
});

test('doctor does not call a port of another machine taken', async () => {
  const outcome = await runCommand('http://192.0.2.1.invalid:11434', ['doctor', '--json']);
  const { findings } = JSON.parse(outcome.stdout) as {
    findings: { name: string; ok: boolean; text: string }[];
  };
  expect(findings.find(({ name }) => name === 'server')).toEqual({
    name: 'server',
    ok: false,
    text: expect.stringMatching(/^no server answers at /),
  });
  expect(outcome.exitCode).toBe(1);
});

test('the program ends without a word when nobody reads its output any more', async () => {
  const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
  const child = spawn(process.execPath, [cli, 'completion', 'bash'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (part) => {
    complaints += String(part);
  });
  child.stdout.destroy();
  expect(await once(child, 'close')).toEqual([141, null]);
  expect(complaints).toBe('');
});
