import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { silentLogger } from '../../test/domain.js';
import { masterKeySettings } from '../../test/master-key-settings.js';
import { deriveKeys } from '../crypto/derive-keys.js';
import { type MasterKey, makeMasterKey, printMasterKey } from '../crypto/master-key.js';
import { keyFilePath, type MasterKeySettings } from './held-master-keys.js';
import { loadMasterKeys } from './load-master-keys.js';
import { recoverMasterKeys } from './recover-master-keys.js';

let dataFolder: string;
const recovered: [MasterKey, MasterKey] = [makeMasterKey(), makeMasterKey()];
const idOf = (key: MasterKey) => deriveKeys(key).id;
const settings = (change: Partial<MasterKeySettings> = {}) => masterKeySettings(dataFolder, change);

beforeEach(() => {
  dataFolder = mkdtempSync(path.join(tmpdir(), 'recover-key-'));
});

afterEach(() => rmSync(dataFolder, { recursive: true, force: true }));

test('without a key, the recovered ones become the key file, for its owner only, once they are installed', () => {
  const { source, install } = recoverMasterKeys(settings(), recovered);
  const file = keyFilePath(settings());
  expect(source.keyring.active.id).toBe(idOf(recovered[0]));
  expect(existsSync(file)).toBe(false);
  expect(install()).toContain(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { keyring } = loadMasterKeys(settings({ databaseUrl: 'postgres://x/y' }), silentLogger);
  expect(keyring.all.map(({ id }) => id)).toEqual(recovered.map(idOf));
});

test('a key file that a first start made gives way, and its key is kept beside it', () => {
  const made = loadMasterKeys(settings(), silentLogger).keyring.active.id;
  const file = keyFilePath(settings());
  const before = readFileSync(file, 'utf8');
  const said = recoverMasterKeys(settings(), recovered).install();
  expect(said).toContain(`${file}.${made}`);
  expect(readFileSync(`${file}.${made}`, 'utf8')).toBe(before);
  expect(statSync(`${file}.${made}`).mode & 0o777).toBe(0o600);
  expect(loadMasterKeys(settings(), silentLogger).keyring.active.id).toBe(idOf(recovered[0]));
});

test('a key kept earlier is never overwritten', () => {
  const made = loadMasterKeys(settings(), silentLogger).keyring.active.id;
  const file = keyFilePath(settings());
  const before = readFileSync(file, 'utf8');
  writeFileSync(`${file}.${made}`, 'kept');
  expect(() => recoverMasterKeys(settings(), recovered).install()).toThrow(/move one of them away/);
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(readFileSync(`${file}.${made}`, 'utf8')).toBe('kept');
});

test('keys that are held already are left as they are', () => {
  const held = settings({
    masterKey: printMasterKey(recovered[0]),
    retiredMasterKeys: [printMasterKey(recovered[1])],
  });
  expect(recoverMasterKeys(held, recovered).install()).toBeUndefined();
  expect(readdirSync(dataFolder)).toEqual([]);
});

test('another key that the operator named is refused in one line that says what to do', () => {
  const other = makeMasterKey();
  const environment = settings({ masterKey: printMasterKey(other) });
  const ids = `the key ${idOf(other)}, and the backup needs ${recovered.map(idOf).join(', ')}`;
  expect(() => recoverMasterKeys(environment, recovered)).toThrow(
    `VAULT_MASTER_KEY is ${ids}: restore without VAULT_MASTER_KEY, and the recovered key is put into ${keyFilePath(settings())}`,
  );
  const masterKeyFile = path.join(dataFolder, 'key');
  writeFileSync(masterKeyFile, printMasterKey(other));
  expect(() => recoverMasterKeys(settings({ masterKeyFile }), recovered)).toThrow(
    `VAULT_MASTER_KEY_FILE holds ${ids}: name a file that does not exist yet`,
  );
  expect(readFileSync(masterKeyFile, 'utf8')).toBe(printMasterKey(other));
});

test('a retired key that the environment lacks is missed before anything is restored', () => {
  const held = settings({ masterKey: printMasterKey(recovered[0]) });
  expect(() => recoverMasterKeys(held, recovered)).toThrow(`the backup needs ${idOf(recovered[1])}:`);
});

test('a key file that appears in the meantime is not overwritten', () => {
  const { install } = recoverMasterKeys(settings(), recovered);
  const other = loadMasterKeys(settings(), silentLogger).keyring.active.id;
  expect(install).toThrow(/made by another process/);
  expect(loadMasterKeys(settings(), silentLogger).keyring.active.id).toBe(other);
});
