import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';

const logger = fileURLToPath(new URL('../dist/logger.js', import.meta.url));

/** A program that logs a line, then as many as it is told, or two as its last act when it is told to end. */
function startLogging(format: string): ChildProcess & { readonly stdout: Readable } {
  const program = `
    import { createLogger } from ${JSON.stringify(logger)};
    const log = createLogger({ name: 'kit', level: 'info', format: '${format}' });
    process.once('message', ({ lines }) => {
      for (let line = 0; line < lines; line += 1) log.info({ line, text: 'x'.repeat(100) }, 'one of many');
      if (lines) return process.send('still here');
      log.info('before the');
      log.info('last words');
      process.exit(7);
    });
    log.info('up');
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
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

test('a log that nobody reads stops no service', async () => {
  const child = startLogging('json');
  await once(child.stdout, 'data');
  child.stdout.pause();
  child.send({ lines: 3000 });
  expect(await once(child, 'message')).toEqual(['still here', undefined]);
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
