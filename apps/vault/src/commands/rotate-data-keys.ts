import { StartupError } from '@hearth/service-kit/startup-error';
import type { VaultConfig } from '../config.js';
import { withDomain } from './open-domain.js';

/** Gives vaults new data keys and seals every value anew, while vaults run. The master key stays. */
export async function rotateDataKeysCommand(config: VaultConfig, vaultId: string | undefined): Promise<void> {
  await withDomain(config, async ({ domain }) => {
    await domain.keys.prepare();
    const { vaults, values, destroyed } = await domain.dataKeys.rotate(vaultId);
    if (vaults === 0 && vaultId !== undefined) throw new StartupError('there is no vault of that id');
    process.stdout.write(
      `${values} values of ${vaults} ${vaults === 1 ? 'vault' : 'vaults'} are sealed under new data keys, and ${destroyed} old ${destroyed === 1 ? 'key is' : 'keys are'} destroyed. Backups made before still hold the old keys.\n`,
    );
  });
}
