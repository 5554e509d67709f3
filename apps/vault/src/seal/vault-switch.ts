import type { RequestListener } from 'node:http';
import type { Logger } from '@hearth/service-kit/logger';
import { StartupError } from '@hearth/service-kit/startup-error';
import type { RequestFacts } from '../access/caller.js';
import type { NewAuditEvent } from '../audit/audit-event.js';
import type { AuditService } from '../audit/audit-service.js';
import { systemEvent } from '../audit/system-event.js';
import { VaultError } from '../errors/vault-error.js';
import type { LoadedMasterKeys } from '../keys/load-master-keys.js';
import { WrongPassphrase } from '../keys/unlock-key-file.js';
import { createFailedAttempts } from './failed-attempts.js';
import type { VaultSeal } from './vault-seal.js';

/** A vault that holds its keys. */
export interface OpenVault {
  readonly handler: RequestListener;
  readonly audit: Pick<AuditService, 'recordAlone'>;
  close(): Promise<void>;
}

export interface VaultSwitchParts {
  /** Opens the key file; throws WrongPassphrase. */
  readonly unlock: (passphrase: string) => Promise<LoadedMasterKeys>;
  /** Builds everything that needs the keys, and proves that they fit the database. */
  readonly open: (masterKeys: LoadedMasterKeys) => Promise<OpenVault>;
  readonly canUnseal: () => boolean;
  readonly logger: Logger;
}

export interface VaultSwitch extends VaultSeal {
  /** Who answers now; undefined while sealed. */
  handler(): RequestListener | undefined;
  open(masterKeys: LoadedMasterKeys): Promise<void>;
  unseal(attempt: UnsealAttempt): Promise<void>;
  close(): Promise<void>;
}

export interface UnsealAttempt {
  readonly passphrase: string;
  readonly request: RequestFacts;
  /** What counts as one caller. */
  readonly address: string;
  /** Called when the passphrase is about to be tried; throws for an address that has tried too often. */
  readonly count: () => Promise<void>;
}

/**
 * Each guess takes 128 MiB and half a second, so one is made at a time and few are in line. Each of those is from
 * another address, so that a single stranger cannot keep those out who know the passphrase.
 */
const longestLine = 8;

/**
 * Between sealed and open. Everything that needs keys is built when they come and dropped when they go, so that
 * nothing of it has to know that there is such a thing as being sealed.
 */
export function createVaultSwitch({ unlock, open, canUnseal, logger }: VaultSwitchParts): VaultSwitch {
  const failed = createFailedAttempts();
  let opened: { readonly vault: OpenVault; readonly masterKeys: LoadedMasterKeys } | undefined;
  let line: Promise<unknown> = Promise.resolve();
  const inLine = new Set<string>();
  let closing: Promise<void> = Promise.resolve();

  async function openWith(masterKeys: LoadedMasterKeys, events: readonly NewAuditEvent[]): Promise<void> {
    let vault: OpenVault | undefined;
    try {
      vault = await open(masterKeys);
      if (events.length > 0) await vault.audit.recordAlone(...events);
      opened = { vault, masterKeys };
    } catch (error) {
      await vault?.close();
      masterKeys.wipe();
      throw error;
    }
  }

  async function unlockOrRefuse(passphrase: string, request: RequestFacts): Promise<LoadedMasterKeys> {
    try {
      return await unlock(passphrase);
    } catch (error) {
      if (error instanceof StartupError) {
        logger.error(`cannot unseal: ${error.message}`);
        throw new VaultError(
          'conflict',
          'The key file is not as it should be; the log of the vault tells more.',
        );
      }
      if (!(error instanceof WrongPassphrase)) throw error;
      failed.note(request);
      logger.warn({ request_id: request.requestId, ip: request.ip }, 'a passphrase did not unseal the vault');
      throw new VaultError('wrong_passphrase');
    }
  }

  async function attempt({ passphrase, request, count }: UnsealAttempt): Promise<void> {
    if (opened !== undefined) throw new VaultError('conflict', 'The vault is not sealed.');
    await count();
    const masterKeys = await unlockOrRefuse(passphrase, request);
    const unsealed = { ...systemEvent('sys.unseal', {}), request };
    const failures = failed.event();
    try {
      await openWith(masterKeys, failures === undefined ? [unsealed] : [failures, unsealed]);
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      // Whoever knows the passphrase may know what is wrong with the keys behind it.
      throw new VaultError('conflict', error.message);
    }
    failed.forget();
    logger.info({ request_id: request.requestId, ip: request.ip }, 'unsealed');
  }

  return {
    handler: () => opened?.vault.handler,
    open: (masterKeys) => openWith(masterKeys, []),
    canUnseal,

    unseal(wanted) {
      const { address } = wanted;
      if (inLine.size === longestLine || inLine.has(address)) {
        return Promise.reject(new VaultError('rate_limited', undefined, { headers: { 'retry-after': '5' } }));
      }
      inLine.add(address);
      const turn = line.then(() => attempt(wanted)).finally(() => inLine.delete(address));
      line = turn.catch(() => undefined);
      return turn;
    },

    seal() {
      if (opened === undefined) return;
      const { vault, masterKeys } = opened;
      opened = undefined;
      masterKeys.wipe();
      closing = vault.close().catch((error: unknown) => {
        logger.warn({ err: error }, 'a part of the open vault did not close cleanly');
      });
      logger.warn('sealed: every request is refused until someone gives the passphrase');
    },

    async close() {
      await line;
      await closing;
      await opened?.vault.close();
      opened?.masterKeys.wipe();
      opened = undefined;
    },
  };
}
