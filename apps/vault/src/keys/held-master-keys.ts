import path from 'node:path';
import { StartupError } from '@hearth/service-kit/startup-error';
import { type MasterKey, MasterKeyError, parseMasterKey } from '../crypto/master-key.js';
import type { PassphraseKey } from '../crypto/passphrase-box.js';
import { readKeyFile } from './master-key-file.js';

export interface MasterKeySettings {
  readonly masterKey: string | undefined;
  readonly masterKeyFile: string | undefined;
  readonly retiredMasterKeys: readonly string[];
  readonly databaseUrl: string | undefined;
  /** Make a key file on the first start although the database is the operator's own. */
  readonly makeMasterKey: boolean;
  readonly dataFolder: string;
}

export interface HeldMasterKeys {
  readonly active: MasterKey;
  readonly retired: readonly MasterKey[];
}

/** The master keys that the settings give. Undefined where they name a file that is not there; it makes none. */
export function heldMasterKeys(
  settings: MasterKeySettings,
  fileKey?: PassphraseKey,
): HeldMasterKeys | undefined {
  const retired = settings.retiredMasterKeys.map((text) => parseSetting('VAULT_MASTER_KEYS_RETIRED', text));
  if (settings.masterKey !== undefined) {
    return { active: parseSetting('VAULT_MASTER_KEY', settings.masterKey), retired };
  }
  const keys = readKeyFile(keyFilePath(settings), fileKey);
  return keys && { active: keys.active, retired: [...keys.retired, ...retired] };
}

/** Where the key file is, or would be. */
export function keyFilePath(settings: Pick<MasterKeySettings, 'masterKeyFile' | 'dataFolder'>): string {
  return settings.masterKeyFile ?? path.join(settings.dataFolder, 'vault', 'master.key');
}

function parseSetting(name: string, text: string): MasterKey {
  try {
    return parseMasterKey(text);
  } catch (error) {
    if (error instanceof MasterKeyError) throw new StartupError(`bad setting: ${name}: ${error.message}`);
    throw error;
  }
}
