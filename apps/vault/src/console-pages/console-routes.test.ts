import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express, { type Express } from 'express';
import request from 'supertest';
import { apiHeaders } from '../http/security/api-headers.js';
import { consoleRoutes } from './console-routes.js';

const publicUrl = 'http://127.0.0.1:3999';
const script = '// code\n'.repeat(100);
let folder: string;
let app: Express;
const noWarning = () => {
  throw new Error('a built console gives no warning');
};

beforeAll(async () => {
  folder = `${await mkdtemp(path.join(tmpdir(), 'console-'))}/`;
  await mkdir(`${folder}assets`);
  await writeFile(`${folder}index.html`, '<!doctype html><title>Hearth vault</title>');
  await writeFile(`${folder}theme.js`, '// theme');
  await writeFile(`${folder}assets/index-abc.js`, script);
  app = express();
  app.use(apiHeaders(publicUrl), consoleRoutes({ publicUrl, folder, logger: { warn: noWarning } }));
});

afterAll(() => rm(folder, { recursive: true }));

describe('the console pages', () => {
  test.each(['/', '/signin', '/secrets/tokens', '/settings/logins'])(
    'answer %s with the one page, which is never kept',
    async (address) => {
      const reply = await request(app)
        .get(address)
        .expect(200)
        .expect('content-type', /^text\/html/);
      expect(reply.text).toContain('Hearth vault');
      expect(reply.headers['cache-control']).toBe('no-store');
    },
  );

  test('run scripts and styles from our own files only, and never turn text into code', async () => {
    const reply = await request(app).get('/');
    const policy = String(reply.headers['content-security-policy']);
    expect(policy.split(';')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(policy).not.toMatch(/unsafe|nonce|\*|https?:|sandbox/);
  });

  test('keep built files for ever, and ask for the others each time', async () => {
    const built = await request(app).get('/assets/index-abc.js').expect(200);
    expect(built.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const plain = await request(app).get('/theme.js').expect(200);
    expect(plain.headers['cache-control']).toBe('public, max-age=0');
  });

  test('send built files compressed to whoever takes it, and plain to others', async () => {
    const code = await request(app).get('/assets/index-abc.js').set('accept-encoding', 'gzip').expect(200);
    expect(code.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'accept-encoding',
    });
    expect(code.text).toBe(script);
    const plain = await request(app)
      .get('/assets/index-abc.js')
      .set('accept-encoding', 'identity')
      .expect(200);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.text).toBe(script);
  });

  test('show a person the page for a dead link with 404, and leave programs to the API', async () => {
    const person = await request(app).get('/nowhere').set('accept', 'text/html').expect(404);
    expect(person.text).toContain('Hearth vault');
    const program = await request(app).get('/nowhere').set('accept', 'application/json').expect(404);
    expect(program.text).not.toContain('Hearth vault');
    for (const address of ['/api/nowhere', '/auth/nowhere', '/assets/nowhere.js', '/index.html']) {
      const reply = await request(app).get(address).set('accept', 'application/json').expect(404);
      expect(reply.text).not.toContain('Hearth vault');
    }
  });

  test('are missing with a warning where the console was not built, and leave the API alone', async () => {
    const warnings: unknown[] = [];
    const bare = express();
    const logger = { warn: (text: unknown) => void warnings.push(text) };
    bare.use(consoleRoutes({ publicUrl, folder: `${folder}nowhere/`, logger }));
    await request(bare).get('/').expect(404);
    expect(warnings).toEqual([expect.stringContaining('not built')]);
  });
});
