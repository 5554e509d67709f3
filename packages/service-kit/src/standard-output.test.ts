import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';

const logger = fileURLToPath(new URL('../dist/logger.js', import.meta.url));

/**
 * A program that logs a line, then as many as it is told, or two as its last act when it is told to end. It tells how
 * much it has written and how often it has waited for its reader, and believes the time that it is told.
 */
const program = (format: string) => `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  let pauses = 0;
  let written = 0;
  const { wait } = Atomics;
  const { writeSync } = fs;
  Atomics.wait = (...pause) => {
    pauses += 1;
    return wait(...pause);
  };
  fs.writeSync = (...text) => {
    const bytes = writeSync(...text);
    written += bytes;
    return bytes;
  };
  syncBuiltinESMExports();
  const { createLogger } = await import(${JSON.stringify(logger)});
  const log = createLogger({ name: 'kit', level: 'info', format: '${format}' });
  process.on('message', ({ lines, atSecond = 0 }) => {
    performance.now = () => atSecond * 1000;
    for (let line = 0; line < lines; line += 1) log.info({ line, text: 'x'.repeat(100) }, 'one of many');
    if (lines) return process.send({ pauses, written });
    log.info('before the');
    log.info('last words');
    process.exit(7);
  });
  log.info('up');
`;

function startLogging(format: string): ChildProcess & { readonly stdout: Readable } {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program(format)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  started = child;
  return child as ChildProcess & { readonly stdout: Readable };
}

let started: ChildProcess | undefined;
afterEach(() => {
  started?.kill('SIGKILL');
});

test.each(['json', 'pretty'])(
  'a program whose log (%s) nobody reads any more ends when it is told to',
  async (format) => {
    const child = startLogging(format);
    const exit = once(child, 'exit');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    await once(child.stdout, 'close');
    child.send('end');
    expect(await exit).toEqual([7, null]);
  },
);

test('a log that is read slowly or not at all stops no service: it is waited for once, and again when it has kept up', async () => {
  const child = startLogging('json');
  let read = 0;
  child.stdout.on('data', (part: Buffer) => {
    read += part.length;
  });
  await once(child.stdout, 'data');
  child.stdout.pause();
  const logAt = async (atSecond: number) => {
    child.send({ lines: 3000, atSecond });
    const [said] = (await once(child, 'message')) as [{ pauses: number; written: number }];
    return said;
  };
  const readAll = async ({ written }: { readonly written: number }) => {
    child.stdout.resume();
    while (read < written) await once(child.stdout, 'data');
    child.stdout.pause();
  };
  const first = await logAt(1);
  expect(first.pauses).toBe(100);
  await readAll(first);
  const soon = await logAt(2);
  expect(soon.pauses).toBe(100);
  expect(soon.written).toBeGreaterThan(first.written);
  await readAll(soon);
  expect((await logAt(40)).pauses).toBe(200);
});

test('a log on a full disk goes on when there is room again, with a line of its own', async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'hearth-kit-')), 'log');
  const log = await open(file, 'a');
  try {
    // To a program that may make no file longer than this, the disk is full.
    const limited = ['-c', 'ulimit -f 8; exec "$@"', 'sh', process.execPath, '--input-type=module'];
    const child = spawn('/bin/sh', [...limited, '--eval', program('json')], {
      stdio: ['ignore', log.fd, 'inherit', 'ipc'],
    });
    started = child;
    child.send({ lines: 100 });
    await once(child, 'message');
    await log.truncate(300);
    child.send({ lines: 1 });
    await once(child, 'message');
    const text = await readFile(file, 'utf8');
    expect(text.slice(300)).toMatch(/^\n.*\n$/);
    expect(JSON.parse(text.slice(300))).toMatchObject({ line: 0, msg: 'one of many' });
  } finally {
    await log.close();
    await rm(path.dirname(file), { recursive: true });
  }
});

test.each(['json', 'pretty'])('the last line (%s) before a sudden end is not lost', async (format) => {
  const child = startLogging(format);
  let text = '';
  child.stdout.on('data', (part: Buffer) => {
    if (text === '') child.send('end');
    text += part.toString();
  });
  await once(child, 'close');
  expect(text).toContain('last words');
});
