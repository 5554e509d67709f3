import { createSign, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isSignedByGitHub } from '../crypto/github-signature.js';
import { loadGitHubKeys } from './load-github-keys.js';

let folder: string;
let file: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'github-keys-'));
  file = path.join(folder, 'keys.json');
});

afterAll(() => rmSync(folder, { recursive: true }));

const pair = (namedCurve = 'prime256v1') =>
  generateKeyPairSync('ec', {
    namedCurve,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

function load(content: unknown) {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return loadGitHubKeys(file);
}

const listed = (key: string, identifier = 'one') => ({ key_identifier: identifier, key, is_current: true });

test('a body counts as GitHub’s only with a signature over these bytes by the key that is named', () => {
  const [one, other] = [pair(), pair()];
  const keys = load({ public_keys: [listed(one.publicKey), listed(other.publicKey, 'other')] });
  const body = Buffer.from('[{"token":"x"}]');
  const signature = createSign('sha256').update(body).sign(one.privateKey, 'base64');
  expect(isSignedByGitHub(keys, body, { identifier: 'one', signature })).toBe(true);
  expect(isSignedByGitHub(keys, Buffer.from('[{"token":"y"}]'), { identifier: 'one', signature })).toBe(
    false,
  );
  expect(isSignedByGitHub(keys, body, { identifier: 'other', signature })).toBe(false);
  expect(isSignedByGitHub(keys, body, { identifier: 'unknown', signature })).toBe(false);
  expect(isSignedByGitHub(keys, body, { identifier: 'one', signature: 'AAAA' })).toBe(false);
  expect(isSignedByGitHub(keys, body, { identifier: 'one', signature: undefined })).toBe(false);
  expect(isSignedByGitHub(keys, undefined, { identifier: 'one', signature })).toBe(false);
});

test('no file means no keys, and nothing counts as signed', () => {
  expect(loadGitHubKeys(undefined).size).toBe(0);
});

test('a file that cannot be used stops the start with a line that names it', () => {
  const problem = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error('it was taken');
  };
  for (const content of ['{', '{}', { public_keys: [] }, { public_keys: [{ key: 'x' }] }]) {
    expect(problem(() => load(content))).toBe(
      `GITHUB_LEAK_KEYS_FILE: ${file} cannot be read (not in the form of GitHub’s API)`,
    );
  }
  for (const key of ['no key', pair('secp384r1').publicKey]) {
    expect(problem(() => load({ public_keys: [listed(key)] }))).toContain('curve P-256');
  }
  expect(problem(() => loadGitHubKeys(path.join(folder, 'absent.json')))).toContain('ENOENT');
});
