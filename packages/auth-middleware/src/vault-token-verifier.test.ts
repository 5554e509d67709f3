import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { anyVerifier } from './any-verifier.js';
import { singleKeyVerifier } from './single-key-verifier.js';
import { VaultUnreachableError, vaultTokenVerifier } from './vault-token-verifier.js';

const token = `sk-svc-${'a'.repeat(46)}`;
let vault: Server;
let url: string;
let asked: string[];
let answer: { status: number; body: string; headers?: Record<string, string> };

beforeEach(async () => {
  asked = [];
  answer = {
    status: 200,
    body: JSON.stringify({ id: 't1', name: 'laptop', effective_scopes: ['models:use'] }),
  };
  vault = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => vault.once('listening', resolve));
  url = `http://127.0.0.1:${(vault.address() as AddressInfo).port}`;
});

afterEach(() => {
  vault.closeAllConnections();
  vault.close();
});

test('a live token is its holder with the scopes that the vault tells', async () => {
  expect(await vaultTokenVerifier({ url }).verify(token)).toEqual({
    id: 't1',
    label: 'laptop',
    scopes: new Set(['models:use']),
  });
  expect(asked).toEqual([`GET /api/secrets/token Bearer ${token}`]);
});

test('what the vault refuses opens nothing', async () => {
  answer = { status: 401, body: '{}' };
  expect(await vaultTokenVerifier({ url }).verify(token)).toBeNull();
});

test('what cannot be a token of a vault is not sent to it', async () => {
  expect(await vaultTokenVerifier({ url }).verify('some-other-key')).toBeNull();
  expect(asked).toEqual([]);
});

test('an answer is believed for a few seconds, then asked for again, so that revocation holds', async () => {
  let now = 0;
  const verifier = vaultTokenVerifier({ url, cacheSeconds: 5, now: () => now });
  await verifier.verify(token);
  await verifier.verify(token);
  expect(asked).toHaveLength(1);
  answer = { status: 401, body: '{}' };
  now = 5001;
  expect(await verifier.verify(token)).toBeNull();
});

test('a refusal is final: a program that keeps sending a dead token does not keep troubling the vault', async () => {
  let now = 0;
  const verifier = vaultTokenVerifier({ url, now: () => now });
  answer = { status: 401, body: '{}' };
  for (; now < 60_000; now += 6000) expect(await verifier.verify(token)).toBeNull();
  expect(asked).toHaveLength(1);
});

test('requests that come together with one token ask once', async () => {
  const verifier = vaultTokenVerifier({ url });
  await Promise.all(Array.from({ length: 16 }, () => verifier.verify(token)));
  expect(asked).toHaveLength(1);
});

test('whoever guesses tokens shuts out neither those who were let in before nor, for long, new ones', async () => {
  let now = 0;
  const verifier = vaultTokenVerifier({ url, now: () => now });
  const guess = (n: number) => `sk-svc-${String(n).padStart(46, '0')}`;
  await verifier.verify(token);
  const yes = answer;
  answer = { status: 401, body: '{}' };
  const tries = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => verifier.verify(guess(n))));
  expect(asked).toHaveLength(1 + 14);
  expect(tries.filter(({ status }) => status === 'rejected')).toHaveLength(100 - 14);

  answer = yes;
  now = 6000;
  expect(await verifier.verify(token)).toMatchObject({ id: 't1' });
  await expect(verifier.verify(guess(200))).rejects.toThrow(VaultUnreachableError);
  now = 60_000;
  expect(await verifier.verify(guess(200))).toMatchObject({ id: 't1' });
});

test('a vault that was away for many requests is asked again as soon as it is back', async () => {
  const verifier = vaultTokenVerifier({ url });
  const yes = answer;
  answer = { status: 503, body: '{}' };
  for (let n = 0; n < 30; n += 1) {
    await expect(verifier.verify(token)).rejects.toThrow(VaultUnreachableError);
  }
  answer = yes;
  expect(await verifier.verify(token)).toMatchObject({ id: 't1' });
});

test.each([
  ['an error', { status: 500, body: '{}' }],
  ['no JSON', { status: 200, body: 'hello' }],
  ['something else', { status: 200, body: '{"scopes":"*"}' }],
  ['a redirect', { status: 302, body: '{}', headers: { location: 'http://192.0.2.1/' } }],
])('a vault that answers with %s lets nobody in', async (_, unfit) => {
  answer = unfit;
  await expect(vaultTokenVerifier({ url }).verify(token)).rejects.toThrow(VaultUnreachableError);
});

test('a vault that is away lets nobody in, but a configured key still opens', async () => {
  const verifier = anyVerifier([
    singleKeyVerifier('sesame'),
    vaultTokenVerifier({ url: 'http://127.0.0.1:1' }),
  ]);
  await expect(verifier.verify(token)).rejects.toThrow(VaultUnreachableError);
  expect(await verifier.verify('sesame')).toMatchObject({ id: 'api-key' });
  expect(await verifier.verify('wrong')).toBeNull();
});
