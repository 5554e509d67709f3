import type { MasterKeySettings } from '../src/keys/held-master-keys.js';

/** The settings of a vault that has no key yet, keeps what it makes in this folder, and differs in nothing but that. */
export function masterKeySettings(
  dataFolder: string,
  change: Partial<MasterKeySettings> = {},
): MasterKeySettings {
  return {
    masterKey: undefined,
    masterKeyFile: undefined,
    retiredMasterKeys: [],
    databaseUrl: undefined,
    makeMasterKey: false,
    dataFolder,
    ...change,
  };
}
