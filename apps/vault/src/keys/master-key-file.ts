import { existsSync, lstatSync, readFileSync } from 'node:fs';
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
import { replaceFileAlone } from './replace-file-alone.js';

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
  // A link that leads nowhere counts too: what it leads to may be on a disk that is not there just now.
  const isThere = () => lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  if (isThere()) return false;
  return replaceFileAlone(file, () => (isThere() ? undefined : printKeys(keys, fileKey)));
}

/** What opens a key file now, and what it is sealed by once it is changed; undefined is no passphrase. */
export interface KeyFilePassphrases {
  readonly before: PassphraseKey | undefined;
  readonly after: PassphraseKey | undefined;
}

/**
 * Gives a key file the keys that `next` makes of those in it. They are read when nobody else can change the file any
 * more, so that no key that another command has put there is lost. Undefined leaves the file as it is.
 */
export function changeKeyFile(
  file: string,
  { before, after }: KeyFilePassphrases,
  next: (keys: KeyFile) => readonly MasterKey[] | undefined,
): void {
  replaceFileAlone(file, () => {
    // Somebody may have taken the seal off, and the passphrase is thrown away by now.
    if (before !== undefined && existsSync(file) && sealedBoxOf(file) === undefined) {
      throw new StartupError(`${file} has lost its seal meanwhile and is left as it is: run this again`);
    }
    const keys = readKeyFile(file, before);
    if (keys === undefined) throw new StartupError(`there is no master key file at ${file}`);
    const changed = next(keys);
    return changed && printKeys(changed, after);
  });
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
