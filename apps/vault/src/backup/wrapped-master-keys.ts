import { z } from 'zod';
import { deriveKeys } from '../crypto/derive-keys.js';
import { type MasterKey, masterKeyBytes } from '../crypto/master-key.js';
import {
  acceptableParameters,
  keyFromPassphrase,
  newPassphraseParameters,
  type PassphraseParameters,
} from '../crypto/passphrase-key.js';
import { seal, UnsealError, unseal } from '../crypto/sealed-box.js';
import { BackupFileError, type BackupHeader, type WrappedMasterKeys } from './backup-file.js';

const base64 = z.base64().transform((text) => Buffer.from(text, 'base64'));
const wrappedSchema = z.object({
  kdf: z.literal('scrypt'),
  n: z.number(),
  r: z.number(),
  p: z.number(),
  salt: base64,
  sealed: base64,
});

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
): Promise<WrappedMasterKeys> {
  const parameters = newPassphraseParameters();
  const key = await keyFromPassphrase(passphrase, parameters);
  const plain = Buffer.concat(masters);
  const sealed = seal(key, plain, contextOf(header, parameters));
  plain.fill(0);
  key.fill(0);
  const { n, r, p, salt } = parameters;
  return { kdf: 'scrypt', n, r, p, salt: salt.toString('base64'), sealed: sealed.toString('base64') };
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
  const parsed = wrappedSchema.safeParse(header.wrapped_keys);
  if (!parsed.success || !acceptableParameters(parsed.data)) {
    throw new BackupFileError('the copy of the master key in the backup is damaged or of a newer kind');
  }
  const { sealed, ...parameters } = parsed.data;
  const plain = await openCopy(passphrase, sealed, parameters, header);
  const masters = Array.from({ length: plain.length / masterKeyBytes }, (_, index) =>
    plain.subarray(index * masterKeyBytes, (index + 1) * masterKeyBytes),
  );
  const [active, ...retired] = masters;
  if (active === undefined || deriveKeys(active).id !== header.master_key_id) {
    throw new BackupFileError('the copy in the backup is not of the master key that seals it');
  }
  return [active, ...retired];
}

async function openCopy(
  passphrase: string,
  sealed: Buffer,
  parameters: PassphraseParameters,
  header: BackupHeader,
): Promise<Buffer> {
  const key = await keyFromPassphrase(passphrase, parameters);
  try {
    return unseal(key, sealed, contextOf(header, parameters));
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    throw new BackupFileError(
      'the passphrase does not open the copy of the master key: it is another one, or the header of the backup was changed',
    );
  } finally {
    key.fill(0);
  }
}

function contextOf(header: BackupHeader, { n, r, p }: PassphraseParameters): string {
  return `hv1|backup-keys|${header.id}|${header.created_at}|${header.master_key_id}|${n}|${r}|${p}`;
}
