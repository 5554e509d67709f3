import type { RequestFacts } from '../access/caller.js';
import type { NewAuditEvent } from '../audit/audit-event.js';
import { systemEvent } from '../audit/system-event.js';

const mostAddresses = 20;

/** Remembers wrong passphrases until the vault is open and they can be recorded; never what they were. */
export function createFailedAttempts(now: () => Date = () => new Date()) {
  let attempts = 0;
  let firstAt = '';
  let lastAt = '';
  let addresses = new Set<string>();
  return {
    note({ ip }: RequestFacts): void {
      lastAt = now().toISOString();
      if (attempts === 0) firstAt = lastAt;
      attempts += 1;
      if (ip !== null && addresses.size < mostAddresses) addresses.add(ip);
    },

    /** One event for all of them, however many: guesses must not fill the log. */
    event(): NewAuditEvent | undefined {
      if (attempts === 0) return undefined;
      const meta = { attempts, first_at: firstAt, last_at: lastAt, addresses: [...addresses] };
      return { ...systemEvent('sys.unseal', meta), outcome: 'denied' };
    },

    forget(): void {
      attempts = 0;
      addresses = new Set();
    },
  };
}
