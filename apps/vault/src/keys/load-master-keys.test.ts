import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLogger } from '@hearth/service-kit/logger';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { masterKeySettings } from '../../test/master-key-settings.js';
import { makeMasterKey, printMasterKey } from '../crypto/master-key.js';
import { keyFilePath, type MasterKeySettings } from './held-master-keys.js';
import { loadMasterKeys } from './load-master-keys.js';
import { changeKeyFile, readKeyFile } from './master-key-file.js';

let dataFolder: string;
let logged: string;
const logger = createLogger({
  name: 'test',
  level: 'info',
  format: 'json',
  destination: {
    write(line: string) {
      logged += line;
    },
  },
});
const settings = (change: Partial<MasterKeySettings> = {}) => masterKeySettings(dataFolder, change);

beforeEach(() => {
  dataFolder = mkdtempSync(path.join(tmpdir(), 'master-key-'));
  logged = '';
});

afterEach(() => rmSync(dataFolder, { recursive: true, force: true }));

test('an embedded vault makes its key once, for its owner only, and says loudly to back it up', () => {
  const first = loadMasterKeys(settings(), logger);
  const file = keyFilePath(settings());
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(logged).toMatch(/BACK IT UP NOW/);
  expect(logged).not.toContain(readFileSync(file, 'utf8').trim());
  logged = '';
  expect(loadMasterKeys(settings(), logger).keyring.active.id).toBe(first.keyring.active.id);
  expect(logged).toBe('');
});

test('a vault on another database refuses to start without a key', () => {
  expect(() => loadMasterKeys(settings({ databaseUrl: 'postgres://x/y' }), logger)).toThrow(
    /VAULT_MASTER_KEY/,
  );
});

test('a vault on another database makes its key where it was told to', () => {
  const wanted = settings({ databaseUrl: 'postgres://x/y', makeMasterKey: true });
  const { keyring } = loadMasterKeys(wanted, logger);
  expect(loadMasterKeys(wanted, logger).keyring.active.id).toBe(keyring.active.id);
});

test('a bad key is refused by the name of its setting, and never repeated', () => {
  const text = 'c2hvcnQtYW5kLXdlYWs=';
  const load = () => loadMasterKeys(settings({ masterKey: text }), logger);
  expect(load).toThrow(/^bad setting: VAULT_MASTER_KEY: /);
  expect(load).not.toThrow(text);
  expect(() => loadMasterKeys(settings({ masterKeyFile: path.join(dataFolder, 'none') }), logger)).toThrow(
    /no master key file/,
  );
});

test('a key file holds the sealing key first and earlier ones below, and is read anew on request', () => {
  const [one, two] = [makeMasterKey(), makeMasterKey()];
  const file = path.join(dataFolder, 'key');
  writeFileSync(file, printMasterKey(one));
  const source = loadMasterKeys(settings({ masterKeyFile: file }), logger);
  changeKeyFile(file, { before: undefined, after: undefined }, () => [two, one]);
  expect(readKeyFile(file)?.active.equals(two)).toBe(true);
  const reloaded = source.reload();
  expect(reloaded.find(source.keyring.active.id)).toBeDefined();
  expect(reloaded.active.id).not.toBe(source.keyring.active.id);
});
