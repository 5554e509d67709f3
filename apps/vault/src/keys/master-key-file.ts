import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import { StartupError } from '@hearth/service-kit/startup-error';
import {
  type MasterKey,
  MasterKeyError,
  parseMasterKey,
  printMasterKey,
  splitMasterKeys,
} from '../crypto/master-key.js';
import {
  openBox,
  type PassphraseKey,
  type ReadBox,
  readPassphraseBox,
  sealInBox,
} from '../crypto/passphrase-box.js';
import { UnsealError } from '../crypto/sealed-box.js';

/** The keys in a key file: the first seals, the others only open. One a line, or all in a box that a passphrase opens. */
export interface KeyFile {
  readonly active: MasterKey;
  readonly retired: readonly MasterKey[];
}

const sealedFormat = { format: 'hearth-vault-key', version: 1 } as const;
const context = 'hv1|key-file';

/** Undefined where there is no file. A sealed one needs what its passphrase became (see unlockKeyFile). */
export function readKeyFile(file: string, fileKey?: PassphraseKey): KeyFile | undefined {
  const text = readText(file);
  if (text === undefined) return undefined;
  const box = boxIn(file, text);
  const keys = box === undefined ? parseLines(file, text) : openKeys(file, box, fileKey);
  const [active, ...retired] = keys;
  if (active === undefined) throw new StartupError(`${file}: the file is empty`);
  return { active, retired };
}

/** The box of a key file that a passphrase seals; undefined where there is no file or it is not sealed. */
export function sealedBoxOf(file: string): ReadBox | undefined {
  const text = readText(file);
  return text === undefined ? undefined : boxIn(file, text);
}

export function openKeyBox(fileKey: PassphraseKey, box: ReadBox): MasterKey[] {
  return splitMasterKeys(openBox(fileKey, box, context));
}

/** Makes a key file that only its owner may read. It never replaces one: two starts at once leave one key. */
export function makeKeyFile(file: string, keys: readonly MasterKey[], fileKey?: PassphraseKey): boolean {
  try {
    writeDurably(file, printKeys(keys, fileKey), 'wx');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Replaces the keys of a file in one step, so that a crash leaves either the old file or the new one. */
export function replaceKeyFile(file: string, keys: readonly MasterKey[], fileKey?: PassphraseKey): void {
  const draft = `${file}.new`;
  writeDurably(draft, printKeys(keys, fileKey), 'w');
  renameSync(draft, file);
  const folder = openSync(path.dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new StartupError(`cannot read the master key file ${file} (${code ?? 'unknown error'})`);
  }
}

function boxIn(file: string, text: string): ReadBox | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  const damaged = new StartupError(`${file}: the sealed master key is damaged or of a newer kind`);
  let content: Partial<typeof sealedFormat>;
  try {
    content = JSON.parse(text) as Partial<typeof sealedFormat>;
  } catch {
    throw damaged;
  }
  const known = content.format === sealedFormat.format && content.version === sealedFormat.version;
  const box = known ? readPassphraseBox(content) : undefined;
  if (box === undefined) throw damaged;
  return box;
}

function openKeys(file: string, box: ReadBox, fileKey: PassphraseKey | undefined): MasterKey[] {
  if (fileKey === undefined) throw new StartupError(`the master key file ${file} is sealed by a passphrase`);
  try {
    return openKeyBox(fileKey, box);
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    throw new StartupError(
      `the master key file ${file} was sealed by another passphrase since it was opened: start again, or seal and unseal`,
    );
  }
}

function parseLines(file: string, text: string): MasterKey[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  try {
    return lines.map(parseMasterKey);
  } catch (error) {
    if (error instanceof MasterKeyError) throw new StartupError(`${file}: ${error.message}`);
    throw error;
  }
}

function printKeys(keys: readonly MasterKey[], fileKey: PassphraseKey | undefined): string {
  if (fileKey === undefined) return keys.map((key) => `${printMasterKey(key)}\n`).join('');
  const plain = Buffer.concat(keys);
  const box = sealInBox(fileKey, plain, context);
  plain.fill(0);
  return `${JSON.stringify({ ...sealedFormat, ...box })}\n`;
}

function writeDurably(file: string, text: string, flags: 'w' | 'wx'): void {
  const handle = openSync(file, flags, 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
