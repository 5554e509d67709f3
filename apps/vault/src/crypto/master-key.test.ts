import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { deriveKeys } from './derive-keys.js';
import { MasterKeyError, makeMasterKey, parseMasterKey, printMasterKey } from './master-key.js';

test('a made key is read back from its printed form, with or without padding and line end', () => {
  const key = makeMasterKey();
  expect(parseMasterKey(printMasterKey(key)).equals(key)).toBe(true);
  expect(parseMasterKey(` ${key.toString('base64url')}\n`).equals(key)).toBe(true);
});

test.each([
  ['16 bytes in hexadecimal', randomBytes(16).toString('hex')],
  ['32 bytes in hexadecimal', randomBytes(32).toString('hex')],
  ['31 bytes', randomBytes(31).toString('base64')],
  ['33 bytes', randomBytes(33).toString('base64')],
  ['a passphrase', 'correct horse battery staple'],
  ['an encoded passphrase', Buffer.from('correct horse battery staple 123').toString('base64')],
  ['one byte repeated', Buffer.alloc(32, 0xe7).toString('base64')],
  ['nothing', ''],
])('%s is refused without being repeated', (_name, text) => {
  const attempt = () => parseMasterKey(text);
  expect(attempt).toThrow(MasterKeyError);
  if (text !== '') expect(attempt).not.toThrow(text);
});

test('each purpose has a key of its own, and the id tells nothing of the key', () => {
  const master = makeMasterKey();
  const { id, ...keys } = deriveKeys(master);
  const printed = [...Object.values(keys), master].map((key) => key.toString('hex'));
  expect(new Set(printed).size).toBe(printed.length);
  expect(id).toMatch(/^mk_[0-9a-f]{16}$/);
  expect(deriveKeys(master).id).toBe(id);
  expect(deriveKeys(makeMasterKey()).id).not.toBe(id);
});
