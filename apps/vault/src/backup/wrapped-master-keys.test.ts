import { beforeAll, expect, test } from '@jest/globals';
import { deriveKeys } from '../crypto/derive-keys.js';
import { makeMasterKey, printMasterKey } from '../crypto/master-key.js';
import type { PassphraseBox } from '../crypto/passphrase-box.js';
import { BackupFileError, type BackupHeader, newBackupHeader } from './backup-file.js';
import { neededMasterKeys, unwrapMasterKeys, wrapMasterKeys } from './wrapped-master-keys.js';

const passphrase = 'correct horse battery staple';
const masters = [makeMasterKey(), makeMasterKey()];
const id = (index: number) => deriveKeys(masters[index] as Buffer).id;
const plain = newBackupHeader(id(0), new Date());
let copy: PassphraseBox;

beforeAll(async () => {
  copy = await wrapMasterKeys(passphrase, masters, plain);
}, 60_000);

const withCopy = (change: Partial<PassphraseBox> = {}, header: BackupHeader = plain): BackupHeader => ({
  ...header,
  wrapped_keys: { ...copy, ...change },
});

test('the passphrase gives back every key, the sealing one first', async () => {
  const opened = await unwrapMasterKeys(passphrase, withCopy());
  expect(opened.map(printMasterKey)).toEqual(masters.map(printMasterKey));
}, 60_000);

test('letters typed as other code points on another machine are the same passphrase', async () => {
  const composed = 'caf\u00e9 caf\u00e9 caf\u00e9';
  const header = { ...plain, wrapped_keys: await wrapMasterKeys(composed, masters, plain) };
  expect(await unwrapMasterKeys(composed.normalize('NFD'), header)).toHaveLength(2);
}, 60_000);

test('the work that a guess costs stands beside the copy, and every copy has a salt of its own', async () => {
  expect(copy).toMatchObject({ kdf: 'scrypt', n: 131_072, r: 8, p: 1 });
  expect(Buffer.from(copy.salt, 'base64')).toHaveLength(16);
  const again = await wrapMasterKeys(passphrase, masters, plain);
  expect([again.salt, again.sealed]).not.toEqual([copy.salt, copy.sealed]);
  for (const master of masters) {
    expect(Buffer.from(copy.sealed, 'base64').includes(master.subarray(0, 8))).toBe(false);
  }
}, 60_000);

test.each<[string, () => BackupHeader]>([
  ['in the header of another backup', () => withCopy({}, newBackupHeader(id(0), new Date()))],
  ['under another master key id', () => withCopy({}, { ...plain, master_key_id: id(1) })],
  ['with another salt', () => withCopy({ salt: Buffer.alloc(16, 7).toString('base64') })],
  ['with less work', () => withCopy({ n: 1024 })],
  ['cut short', () => withCopy({ sealed: 'AQID' })],
])(
  'a copy does not open %s',
  async (_name, header) => {
    const opened = unwrapMasterKeys(passphrase, header());
    await expect(opened).rejects.toThrow(BackupFileError);
    await expect(opened).rejects.toThrow(/does not open the copy/);
  },
  60_000,
);

test.each<[string, Partial<Record<keyof PassphraseBox, unknown>>]>([
  ['more memory than a machine has', { n: 2 ** 40 }],
  ['a table that is no power of two', { n: 100_000 }],
  ['no work at all', { n: 0 }],
  ['endless rounds', { p: 1e9 }],
  ['a short salt', { salt: 'AAAA' }],
  ['another function', { kdf: 'md5' }],
  ['what is not base64', { sealed: '***' }],
])('a copy that asks for %s is refused before any work is done', async (_name, change) => {
  const header = withCopy(change as Partial<PassphraseBox>);
  await expect(unwrapMasterKeys(passphrase, header)).rejects.toThrow(/damaged or of a newer kind/);
});

test('only the keys that a backup needs are copied, each once', () => {
  expect(neededMasterKeys(masters, [id(1), id(1)])).toEqual([masters[1]]);
  expect(neededMasterKeys(masters, [id(1), id(0)])).toEqual([masters[1], masters[0]]);
  expect(() => neededMasterKeys(masters, [deriveKeys(makeMasterKey()).id])).toThrow(/run the backup again/);
});
