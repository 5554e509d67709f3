import { blindIndex, sameIndex } from '../crypto/blind-index.js';
import { openValue, type PlainValue, sealValue } from '../crypto/sealed-value.js';
import type { Transaction } from '../db/transaction.js';
import { VaultError } from '../errors/vault-error.js';
import type { KeyService } from '../keys/key-service.js';
import type { VaultKey } from '../keys/vault-key.js';
import type { SealedVersion } from './secret.js';
import type { VersionRepository } from './version-repository.js';

export interface SecretSealer {
  seal(key: VaultKey, secretId: string, version: number, value: PlainValue): SealedPart;
  /** Opens values of one vault, fetching each of its keys once. */
  openAll(
    vaultId: string,
    sealed: readonly SealedVersion[],
    transaction?: Transaction,
  ): Promise<PlainValue[]>;
  open(vaultId: string, sealed: SealedVersion, transaction?: Transaction): Promise<PlainValue>;
  /** Whether a value is the one already stored, told without opening it. */
  isSame(key: VaultKey, sealed: SealedVersion, value: PlainValue): boolean;
}

export type SealedPart = Pick<SealedVersion, 'secretId' | 'version' | 'vaultKeyId'> & {
  readonly ciphertext: Buffer;
  readonly valueMac: Buffer;
};

export interface SecretSealerParts {
  readonly keys: Pick<KeyService, 'openingKeys'>;
  readonly versions: Pick<VersionRepository, 'readAgain'>;
}

export function createSecretSealer({ keys, versions }: SecretSealerParts): SecretSealer {
  const keysOf = (vaultId: string, sealed: readonly SealedVersion[], transaction?: Transaction) =>
    keys.openingKeys(vaultId, [...new Set(sealed.map(({ vaultKeyId }) => vaultKeyId))], transaction);

  async function openAll(vaultId: string, sealed: readonly SealedVersion[], transaction?: Transaction) {
    if (sealed.length === 0) return [];
    let rows = sealed;
    let found = await keysOf(vaultId, rows, transaction);
    if (rows.some(({ ciphertext, vaultKeyId }) => ciphertext !== null && !found.has(vaultKeyId))) {
      // The data key was replaced, and the old one wiped, between the look at the values and the look at the keys.
      rows = await versions.readAgain(sealed, transaction);
      found = await keysOf(vaultId, rows, transaction);
    }
    return rows.map((version) => {
      const key = found.get(version.vaultKeyId);
      if (version.ciphertext === null || key === undefined) throw new VaultError('version_destroyed');
      return openValue(key.dataKey, version.ciphertext, {
        vaultId,
        secretId: version.secretId,
        version: version.version,
        vaultKeyId: version.vaultKeyId,
      });
    });
  }

  return {
    seal: (key, secretId, version, value) => ({
      secretId,
      version,
      vaultKeyId: key.id,
      ciphertext: sealValue(key.dataKey, value, {
        vaultId: key.vaultId,
        secretId,
        version,
        vaultKeyId: key.id,
      }),
      valueMac: blindIndex(key.dataKey, value),
    }),

    openAll,

    async open(vaultId, sealed, transaction) {
      return (await openAll(vaultId, [sealed], transaction))[0] as PlainValue;
    },

    isSame: (key, sealed, value) =>
      sealed.valueMac !== null &&
      sealed.vaultKeyId === key.id &&
      sameIndex(sealed.valueMac, blindIndex(key.dataKey, value)),
  };
}
