import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import { StartupError } from '@hearth/service-kit/startup-error';
import { type MasterKey, MasterKeyError, parseMasterKey, printMasterKey } from '../crypto/master-key.js';

/** The keys in a key file: one a line, the first seals, the others only open. */
export interface KeyFile {
  readonly active: MasterKey;
  readonly retired: readonly MasterKey[];
}

export function readKeyFile(file: string): KeyFile | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new StartupError(`cannot read the master key file ${file} (${code ?? 'unknown error'})`);
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  try {
    const [active, ...retired] = lines.map(parseMasterKey);
    if (active === undefined) throw new MasterKeyError('the file is empty');
    return { active, retired };
  } catch (error) {
    if (error instanceof MasterKeyError) throw new StartupError(`${file}: ${error.message}`);
    throw error;
  }
}

/** Makes a key file that only its owner may read. It never replaces one: two starts at once leave one key. */
export function makeKeyFile(file: string, keys: readonly MasterKey[]): boolean {
  try {
    writeDurably(file, printKeys(keys), 'wx');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Replaces the keys of a file in one step, so that a crash leaves either the old file or the new one. */
export function replaceKeyFile(file: string, keys: readonly MasterKey[]): void {
  const draft = `${file}.new`;
  writeDurably(draft, printKeys(keys), 'w');
  renameSync(draft, file);
  const folder = openSync(path.dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

function printKeys(keys: readonly MasterKey[]): string {
  return keys.map((key) => `${printMasterKey(key)}\n`).join('');
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
