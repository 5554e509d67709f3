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
  let last: RequestFacts | undefined;
  return {
    note(request: RequestFacts): void {
      const { ip } = request;
      last = request;
      lastAt = now().toISOString();
      if (attempts === 0) firstAt = lastAt;
      attempts += 1;
      if (ip !== null && addresses.size < mostAddresses) addresses.add(ip);
    },

    /** One event for all of them, as the last one came, however many: guesses must not fill the log. */
    event(): NewAuditEvent | undefined {
      if (last === undefined) return undefined;
      const meta = { attempts, first_at: firstAt, last_at: lastAt, addresses: [...addresses] };
      return { ...systemEvent('sys.unseal', meta), outcome: 'denied', request: last };
    },

    forget(): void {
      attempts = 0;
      last = undefined;
      addresses = new Set();
    },
  };
}
