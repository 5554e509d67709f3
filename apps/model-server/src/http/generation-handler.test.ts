import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@hearth/service-kit/logger';
import { afterEach, describe, expect, test } from '@jest/globals';
import express, { type Express } from 'express';
import request from 'supertest';
import {
  finishEvent,
  type ScriptedGenerator,
  scriptedGenerator,
  startEvent,
  textEvents,
} from '../../test/scripted-generator.js';
import { GenerationError } from '../generation/generation-error.js';
import type { GenerationRequest } from '../generation/generation-request.js';
import type { Dialect } from './dialect.js';
import { dialectErrorHandler } from './dialect-error-handler.js';
import { serverSentEvents } from './frame-writer.js';
import { generationHandler } from './generation-handler.js';

const dialect: Dialect = {
  name: 'runner',
  owns: () => true,
  renderError: (error) => ({ status: error.code === 'overloaded' ? 503 : 500, body: { code: error.code } }),
};

/** Gathers a streamed answer, and calls back once this is in it. */
function readingAlong(awaited: string, onSeen: () => void) {
  return (incoming: NodeJS.EventEmitter, done: (error: Error | null, text: string) => void) => {
    let text = '';
    incoming.on('data', (bytes: Buffer) => {
      text += bytes.toString();
      if (text.includes(awaited)) onSeen();
    });
    incoming.on('end', () => done(null, text));
  };
}

/** A dialect as plain as can be: each event's type is its frame. */
function appWith(
  generator: ScriptedGenerator,
  options: { stream: boolean; choices?: number; keepAliveMs?: number },
): Express {
  const app = express();
  const generation = { model: 'ember', prompt: { kind: 'raw', text: 'Hi' } } as GenerationRequest;
  app.post(
    '/',
    generationHandler(
      { generator, ...(options.keepAliveMs === undefined ? {} : { keepAliveMs: options.keepAliveMs }) },
      () => ({
        requests: [generation, ...Array.from({ length: (options.choices ?? 1) - 1 }, () => generation)],
        streamFormat: options.stream ? serverSentEvents : undefined,
        renderResult: (results) => ({ texts: results.map((result) => result.text) }),
        createStreamRenderer: () => ({
          render: (event, choice) => [{ data: `${choice} ${event.type}` }],
          end: () => [{ data: '[DONE]' }],
          fail: (error) => [{ event: 'error', data: { code: error.code } }],
        }),
      }),
    ),
  );
  const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });
  app.use(dialectErrorHandler([dialect], logger));
  return app;
}

let closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers) close();
  closers = [];
});

describe('a reply in one piece', () => {
  test('folds the events', async () => {
    const generator = scriptedGenerator([startEvent, ...textEvents('Hel', 'lo'), finishEvent]);
    await request(appWith(generator, { stream: false }))
      .post('/')
      .expect(200, { texts: ['Hello'] });
  });

  test('runs one generation per choice', async () => {
    const generator = scriptedGenerator([startEvent, ...textEvents('a'), finishEvent]);
    await request(appWith(generator, { stream: false, choices: 3 }))
      .post('/')
      .expect({ texts: ['a', 'a', 'a'] });
    expect(generator.requests).toHaveLength(3);
  });

  test('ends the other choices when one fails', async () => {
    const never = new Promise(() => undefined);
    let asked = 0;
    const generator = scriptedGenerator(() => {
      asked += 1;
      return asked === 1 ? [startEvent, never] : [new GenerationError('overloaded', 'full')];
    });
    await request(appWith(generator, { stream: false, choices: 2 }))
      .post('/')
      .expect(503);
    expect(generator.signals[0]?.aborted).toBe(true);
  });

  test('an error in the middle has its real status, because nothing was sent', async () => {
    const generator = scriptedGenerator([
      startEvent,
      new GenerationError('overloaded', 'full', { retryAfterSeconds: 2 }),
    ]);
    const response = await request(appWith(generator, { stream: false }))
      .post('/')
      .expect(503);
    expect(response.headers['retry-after']).toBe('2');
  });
});

describe('a stream', () => {
  test('sends each event as frames and closes with the end frames', async () => {
    const generator = scriptedGenerator([startEvent, ...textEvents('a'), finishEvent]);
    const response = await request(appWith(generator, { stream: true }))
      .post('/')
      .expect(200);
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(response.text).toBe('data: 0 start\n\ndata: 0 text-delta\n\ndata: 0 finish\n\ndata: [DONE]\n\n');
  });

  test('refused before its start event, keeps its real status', async () => {
    const generator = scriptedGenerator([new GenerationError('overloaded', 'full')]);
    await request(appWith(generator, { stream: true }))
      .post('/')
      .expect(503, { code: 'overloaded' });
  });

  test('begins with its first choice, although another waits for that one to end', async () => {
    let firstIsRead: () => void = () => undefined;
    const whenFirstIsRead = new Promise<void>((resolve) => {
      firstIsRead = resolve;
    });
    let asked = 0;
    const generator = scriptedGenerator(() => {
      asked += 1;
      return asked === 1 ? [startEvent, finishEvent] : [whenFirstIsRead, startEvent, finishEvent];
    });
    const response = await request(appWith(generator, { stream: true, choices: 2 }))
      .post('/')
      .buffer()
      .parse(readingAlong('0 finish', firstIsRead));
    expect(response.body).toContain('data: 1 finish\n\ndata: [DONE]');
  });

  test('that breaks later ends with the dialect error frame and no end frame', async () => {
    const generator = scriptedGenerator([startEvent, new GenerationError('engine-crashed', 'gone')]);
    const response = await request(appWith(generator, { stream: true }))
      .post('/')
      .expect(200);
    expect(response.text).toBe('data: 0 start\n\nevent: error\ndata: {"code":"engine-crashed"}\n\n');
  });

  test('sends a comment while nothing else comes', async () => {
    let commentIsRead: () => void = () => undefined;
    const silence = new Promise<void>((resolve) => {
      commentIsRead = resolve;
    });
    const generator = scriptedGenerator([startEvent, silence, finishEvent]);
    const response = await request(appWith(generator, { stream: true, keepAliveMs: 20 }))
      .post('/')
      .buffer()
      .parse(readingAlong(': ping\n\n', commentIsRead));
    expect(response.body).toContain('data: 0 finish');
  });

  test('whose client leaves aborts the generation', async () => {
    const never = new Promise(() => undefined);
    const generator = scriptedGenerator([startEvent, never]);
    const server = createServer(appWith(generator, { stream: true })).listen(0);
    closers.push(
      () => server.closeAllConnections(),
      () => server.close(),
    );
    const { port } = server.address() as AddressInfo;
    await new Promise<void>((resolve) => {
      const client = httpRequest({ port, method: 'POST' }, (response) => {
        response.once('data', () => client.destroy());
      });
      client.on('error', () => undefined);
      client.on('close', resolve);
      client.end();
    });
    const signal = generator.signals[0] as AbortSignal;
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve());
    });
    expect(signal.aborted).toBe(true);
  });
});
