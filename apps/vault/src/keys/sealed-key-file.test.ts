import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { silentLogger } from '../../test/domain.js';
import { masterKeySettings } from '../../test/master-key-settings.js';
import { deriveKeys } from '../crypto/derive-keys.js';
import { makeMasterKey, printMasterKey } from '../crypto/master-key.js';
import { type PassphraseKey, passphraseKeyFor } from '../crypto/passphrase-box.js';
import { keyFilePath, type MasterKeySettings } from './held-master-keys.js';
import { loadMasterKeys } from './load-master-keys.js';
import { changeKeyFile, makeKeyFile, readKeyFile } from './master-key-file.js';
import { createKeyring } from './master-keyring.js';
import { recoverMasterKeys } from './recover-master-keys.js';
import { rotatedKeyFile } from './rotated-key-file.js';
import { isKeyFileSealed, unlockKeyFile, WrongPassphrase } from './unlock-key-file.js';

const passphrase = 'a passphrase of some length';
const [one, two] = [makeMasterKey(), makeMasterKey()];
let fileKey: PassphraseKey;
let dataFolder: string;
let file: string;

beforeAll(async () => {
  fileKey = await passphraseKeyFor(passphrase);
}, 60_000);

beforeEach(() => {
  dataFolder = mkdtempSync(path.join(tmpdir(), 'sealed-key-'));
  file = path.join(dataFolder, 'key');
});

afterEach(() => rmSync(dataFolder, { recursive: true, force: true }));

const settings = (change: Partial<MasterKeySettings> = {}) =>
  masterKeySettings(dataFolder, { masterKeyFile: file, ...change });
const idOf = (key: Buffer) => deriveKeys(key).id;

test('the passphrase gives back every key, and the file tells nothing of them', async () => {
  makeKeyFile(file, [one, two], fileKey);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');
  for (const key of [one, two]) {
    for (const form of ['base64', 'hex'] as const)
      expect(text).not.toContain(key.toString(form).slice(0, 20));
  }
  expect(JSON.parse(text)).toMatchObject({ kdf: 'scrypt', n: 2 ** 17, r: 8, p: 1 });
  expect(isKeyFileSealed(settings())).toBe(true);
  const opened = readKeyFile(file, await unlockKeyFile(settings(), passphrase));
  expect([opened?.active, ...(opened?.retired ?? [])]).toEqual([one, two]);
}, 60_000);

test('another passphrase, and none at all, open nothing', async () => {
  makeKeyFile(file, [one], fileKey);
  await expect(unlockKeyFile(settings(), `${passphrase}.`)).rejects.toThrow(WrongPassphrase);
  expect(() => readKeyFile(file)).toThrow(/is sealed by a passphrase$/);
  expect(() => loadMasterKeys(settings(), silentLogger)).toThrow(/is sealed by a passphrase$/);
}, 60_000);

test('white space around the passphrase of a first start is no part of it', async () => {
  const first = settings({ masterKeyFile: undefined });
  const source = loadMasterKeys(first, silentLogger, await unlockKeyFile(first, ` ${passphrase}\n`));
  const again = loadMasterKeys(first, silentLogger, await unlockKeyFile(first, passphrase));
  expect(again.keyring.active.id).toBe(source.keyring.active.id);
}, 60_000);

test('what was sealed with white space at the ends, or with few characters, before that was refused, opens', async () => {
  for (const text of [` ${passphrase}\n`, 'few']) {
    rmSync(file, { force: true });
    makeKeyFile(file, [one], await passphraseKeyFor(text));
    expect(readKeyFile(file, await unlockKeyFile(settings(), text))?.active.equals(one)).toBe(true);
  }
}, 60_000);

test.each(['few', '   ', 'two lines that\nare long enough'])(
  'no first key is sealed by a passphrase such as %j',
  async (text) => {
    const first = settings({ masterKeyFile: undefined });
    await expect(unlockKeyFile(first, text)).rejects.toThrow(
      /^the passphrase for the new key file .* (is|has) /,
    );
  },
);

test('a changed file is refused in words, and a huge cost is not paid', async () => {
  makeKeyFile(file, [one], fileKey);
  const content = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const changed = async (change: Record<string, unknown>) => {
    writeFileSync(file, JSON.stringify({ ...content, ...change }));
    return unlockKeyFile(settings(), passphrase);
  };
  for (const change of [
    { n: 2 ** 30 },
    { version: 2 },
    { format: 'x' },
    { kdf: 'argon2' },
    { sealed: '?' },
  ]) {
    await expect(changed(change)).rejects.toThrow(/damaged or of a newer kind$/);
  }
  const sealed = Buffer.from(String(content['sealed']), 'base64');
  sealed[20] = (sealed[20] as number) ^ 1;
  await expect(changed({ sealed: sealed.toString('base64') })).rejects.toThrow(WrongPassphrase);
  writeFileSync(file, '{ not JSON');
  expect(() => isKeyFileSealed(settings())).toThrow(/damaged or of a newer kind$/);
}, 60_000);

test('a first start with a passphrase makes a file that is sealed from its first byte', async () => {
  const first = settings({ masterKeyFile: undefined });
  const made = loadMasterKeys(first, silentLogger, await unlockKeyFile(first, passphrase)).keyring.active.id;
  expect(isKeyFileSealed(first)).toBe(true);
  const again = loadMasterKeys(first, silentLogger, await unlockKeyFile(first, passphrase));
  expect(again.keyring.active.id).toBe(made);
}, 60_000);

test('after a rotation the file is read again without the passphrase; after a new passphrase it is not', async () => {
  makeKeyFile(file, [one], fileKey);
  const source = loadMasterKeys(settings(), silentLogger, fileKey);
  changeKeyFile(file, { before: fileKey, after: fileKey }, () => [two, one]);
  expect(source.reload().active.id).toBe(idOf(two));
  const after = await passphraseKeyFor('the next passphrase');
  changeKeyFile(file, { before: fileKey, after }, () => [two]);
  expect(() => source.reload()).toThrow(/was sealed by another passphrase/);
}, 60_000);

test('a file that has lost its seal meanwhile is not sealed again by whoever knew the old passphrase', () => {
  makeKeyFile(file, [one], fileKey);
  changeKeyFile(file, { before: fileKey, after: undefined }, ({ active }) => [active]);
  const rotation = rotatedKeyFile(file, fileKey);
  expect(() => rotation.addNewKey()).toThrow(/has lost its seal meanwhile/);
  expect(readKeyFile(file)?.active.equals(one)).toBe(true);
});

test('wiping overwrites every key that was loaded, and whoever asks later is told that the vault is sealed', async () => {
  makeKeyFile(file, [one], fileKey);
  const own = await unlockKeyFile(settings(), passphrase);
  const source = loadMasterKeys(settings(), silentLogger, own);
  changeKeyFile(file, { before: fileKey, after: fileKey }, () => [two, one]);
  const reloaded = source.reload();
  const keys = [source.keyring, reloaded].flatMap(({ all }) =>
    all.flatMap(({ id: _id, fingerprint: _fingerprint, ...secret }) => Object.values(secret)),
  );
  expect(keys).toHaveLength(18);
  source.wipe();
  for (const key of [...keys, own?.key as Buffer]) expect(key.equals(Buffer.alloc(32))).toBe(true);
  for (const keyring of [source.keyring, reloaded]) {
    for (const ask of [() => keyring.active, () => keyring.all, () => keyring.find(idOf(one))]) {
      expect(ask).toThrow(expect.objectContaining({ code: 'sealed' }));
    }
  }
}, 60_000);

test('a plain keyring is not touched by wiping another', () => {
  const [kept, wiped] = [createKeyring(one, []), createKeyring(one, [])];
  wiped.wipe();
  expect(kept.active.id).toBe(idOf(one));
});

test('keys from a backup that take the place of sealed ones are sealed too, and so are those kept aside', () => {
  const inFolder = settings({ masterKeyFile: undefined });
  const place = keyFilePath(inFolder);
  loadMasterKeys(inFolder, silentLogger, fileKey);
  const before = readKeyFile(place, fileKey)?.active as Buffer;
  recoverMasterKeys(inFolder, [Buffer.from(two)], fileKey).install();
  expect(readKeyFile(place, fileKey)?.active.equals(two)).toBe(true);
  const aside = `${place}.${idOf(before)}`;
  expect(readKeyFile(aside, fileKey)?.active.equals(before)).toBe(true);
  for (const sealed of [place, aside])
    expect(readFileSync(sealed, 'utf8')).not.toContain(printMasterKey(before));
});
