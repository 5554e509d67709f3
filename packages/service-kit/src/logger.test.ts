import { expect, test } from '@jest/globals';
import { createLogger } from './logger.js';

function capture() {
  const lines: string[] = [];
  const logger = createLogger({
    name: 'kit',
    level: 'info',
    format: 'json',
    destination: { write: (line) => void lines.push(line) },
  });
  return { logger, lines };
}

test('a line is JSON with level, ISO time, service and message', () => {
  const { logger, lines } = capture();
  logger.info({ port: 1 }, 'listening');
  expect(JSON.parse(lines[0] as string)).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    service: 'kit',
    port: 1,
    msg: 'listening',
  });
});

test('an error is described by name, code and place, never by its message or extra fields', () => {
  const { logger, lines } = capture();
  const cause = Object.assign(new TypeError('value hunter2'), { code: '23505' });
  const error = Object.assign(new Error('insert failed for hunter2', { cause }), {
    body: 'hunter2',
    params: ['hunter2'],
  });
  logger.error({ err: error }, 'query failed');
  expect(lines[0]).not.toContain('hunter2');
  expect(JSON.parse(lines[0] as string).err).toMatchObject({
    name: 'Error',
    stack: expect.stringContaining('logger.test'),
    cause: { name: 'TypeError', code: '23505' },
  });
});

test('a whole request, response or body is refused', () => {
  const { logger, lines } = capture();
  logger.info({ req: { headers: { authorization: 'Bearer x' } }, res: {}, body: 'prompt text' }, 'x');
  expect(lines[0]).not.toMatch(/Bearer|prompt text/);
});
