import type { AuditService } from '../audit/audit-service.js';
import { systemEvent } from '../audit/system-event.js';
import type { KeyService } from './key-service.js';
import type { RotatedKeyFile } from './rotated-key-file.js';

export interface MasterKeyRotation {
  /**
   * Wraps every data key anew under a new key of the file, or without a file under the active key of the settings;
   * records it and returns how many. Without a file, a run that finds nothing to do is not recorded.
   */
  rotate(file: RotatedKeyFile | undefined): Promise<number>;
}

export interface MasterKeyRotationParts {
  readonly keys: Pick<KeyService, 'prepare' | 'rotateAlone' | 'reload' | 'rewrapAll' | 'current'>;
  readonly audit: Pick<AuditService, 'recordAlone'>;
}

export function createMasterKeyRotation({ keys, audit }: MasterKeyRotationParts): MasterKeyRotation {
  return {
    rotate: (file) =>
      keys.rotateAlone(async () => {
        // Proves that the keys fit the database before any of them is changed.
        const tookOver = await keys.prepare();
        if (file !== undefined) {
          file.addNewKey();
          keys.reload();
          await keys.prepare();
        }
        const rewrapped = await keys.rewrapAll();
        const { id } = keys.current().active;
        // Recorded before the old key goes: a run that is cut short between the two is recorded by the one that ends it.
        if (file !== undefined || tookOver || rewrapped > 0) {
          await audit.recordAlone(systemEvent('key.rotate_master', { master_key_id: id, rewrapped }));
        }
        file?.dropOldKeys(id);
        return rewrapped;
      }),
  };
}
