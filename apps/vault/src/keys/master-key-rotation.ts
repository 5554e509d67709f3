import type { AuditService } from '../audit/audit-service.js';
import { systemEvent } from '../audit/system-event.js';
import type { KeyService } from './key-service.js';

export interface MasterKeyRotation {
  /**
   * Wraps every data key anew under the active master key and records it; returns how many. A run that finds
   * nothing to do is not recorded, unless the caller has just made the key that is active now.
   */
  rotate(options: { readonly newKey: boolean }): Promise<number>;
}

export interface MasterKeyRotationParts {
  readonly keys: Pick<KeyService, 'prepare' | 'rewrapAll' | 'current'>;
  readonly audit: Pick<AuditService, 'recordAlone'>;
}

export function createMasterKeyRotation({ keys, audit }: MasterKeyRotationParts): MasterKeyRotation {
  return {
    async rotate({ newKey }) {
      const changed = await keys.prepare();
      const rewrapped = await keys.rewrapAll();
      if (newKey || changed || rewrapped > 0) {
        const meta = { master_key_id: keys.current().active.id, rewrapped };
        await audit.recordAlone(systemEvent('key.rotate_master', meta));
      }
      return rewrapped;
    },
  };
}
