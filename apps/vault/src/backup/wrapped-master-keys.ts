import { deriveKeys } from '../crypto/derive-keys.js';
import { type MasterKey, splitMasterKeys } from '../crypto/master-key.js';
import {
  openBox,
  type PassphraseBox,
  passphraseKeyFor,
  type ReadBox,
  readPassphraseBox,
  sealInBox,
} from '../crypto/passphrase-box.js';
import { UnsealError } from '../crypto/sealed-box.js';
import { BackupFileError, type BackupHeader } from './backup-file.js';

/** Those of the master keys that a backup needs: the one that seals it first, then those its data keys are under. */
export function neededMasterKeys(held: readonly MasterKey[], ids: readonly string[]): MasterKey[] {
  const byId = new Map(held.map((master) => [deriveKeys(master).id, master]));
  return [...new Set(ids)].map((id) => {
    const master = byId.get(id);
    if (master === undefined)
      throw new BackupFileError('the master key was rotated in this moment: run the backup again');
    return master;
  });
}

/** Seals master keys under a passphrase, for the header of one backup: in another one the copy does not open. */
export async function wrapMasterKeys(
  passphrase: string,
  masters: readonly MasterKey[],
  header: BackupHeader,
): Promise<PassphraseBox> {
  const key = await passphraseKeyFor(passphrase);
  const plain = Buffer.concat(masters);
  const box = sealInBox(key, plain, contextOf(header));
  plain.fill(0);
  key.key.fill(0);
  return box;
}

/** The master keys that a backup carries, the one that seals it first. */
export async function unwrapMasterKeys(
  passphrase: string,
  header: BackupHeader,
): Promise<[MasterKey, ...MasterKey[]]> {
  if (header.wrapped_keys === undefined) {
    throw new BackupFileError(
      `the backup holds no copy of its master key (it was made without --passphrase-file): give the key ${header.master_key_id} in VAULT_MASTER_KEY and restore without a passphrase`,
    );
  }
  const box = readPassphraseBox(header.wrapped_keys);
  if (box === undefined) {
    throw new BackupFileError('the copy of the master key in the backup is damaged or of a newer kind');
  }
  const [active, ...retired] = splitMasterKeys(await openCopy(passphrase, box, header));
  if (active === undefined || deriveKeys(active).id !== header.master_key_id) {
    throw new BackupFileError('the copy in the backup is not of the master key that seals it');
  }
  return [active, ...retired];
}

async function openCopy(passphrase: string, box: ReadBox, header: BackupHeader): Promise<Buffer> {
  const key = await passphraseKeyFor(passphrase, box.parameters);
  try {
    return openBox(key, box, contextOf(header));
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    throw new BackupFileError(
      'the passphrase does not open the copy of the master key: it is another one, or the header of the backup was changed',
    );
  } finally {
    key.key.fill(0);
  }
}

function contextOf(header: BackupHeader): string {
  return `hv1|backup-keys|${header.id}|${header.created_at}|${header.master_key_id}`;
}
