import type { Logger } from '@hearth/service-kit/logger';
import type { IdempotencyService } from '../idempotency/idempotency-service.js';
import { daysInTrash, type TrashService } from '../secrets/trash-service.js';
import type { VaultService } from '../vaults/vault-service.js';

export interface HousekeepingService {
  /** Destroys what has been in the trash for thirty days and forgets what has expired. */
  run(): Promise<void>;
  /** Runs now and every few hours; the returned function ends it. */
  start(): () => void;
}

export interface HousekeepingParts {
  readonly trash: Pick<TrashService, 'purge'>;
  readonly vaults: Pick<VaultService, 'purge'>;
  readonly idempotency: Pick<IdempotencyService, 'removeExpired'>;
  readonly logger: Logger;
  readonly now: () => Date;
}

const everyMs = 6 * 3_600_000;

export function createHousekeepingService(parts: HousekeepingParts): HousekeepingService {
  const { trash, vaults, idempotency, logger, now } = parts;

  async function run(): Promise<void> {
    const before = new Date(now().getTime() - daysInTrash * 86_400_000);
    const purged = { secrets: await trash.purge(before), vaults: await vaults.purge(before) };
    await idempotency.removeExpired();
    if (purged.secrets + purged.vaults > 0) logger.info(purged, 'emptied the trash');
  }

  return {
    run,
    start() {
      const attempt = () =>
        run().catch((error: unknown) => logger.warn({ err: error }, 'housekeeping failed'));
      void attempt();
      const timer = setInterval(attempt, everyMs);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}
