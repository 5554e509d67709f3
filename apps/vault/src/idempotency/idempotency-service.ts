import { createHmac } from 'node:crypto';
import type { DerivedKeys } from '../crypto/derive-keys.js';
import { seal, unseal } from '../crypto/sealed-box.js';
import { VaultError } from '../errors/vault-error.js';
import type { KeyService } from '../keys/key-service.js';
import type { IdempotencyRepository } from './idempotency-repository.js';

/** An answer that waits for the same request to come again. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** Set where the answer held something that is shown once: a repeat is refused with these facts. */
  readonly onceOnly?: Readonly<Record<string, unknown>>;
}

export interface IdempotentRequest {
  readonly principal: string;
  readonly key: string;
  /** Method, address and body: the same key for another request is a mistake. */
  readonly content: string;
}

export interface IdempotencyService {
  /** Runs the work once for each key; a repeat within a day gets the first answer. */
  once(
    request: IdempotentRequest,
    work: () => Promise<StoredAnswer>,
  ): Promise<{ answer: StoredAnswer; replayed: boolean }>;
  removeExpired(): Promise<void>;
}

export interface IdempotencyServiceParts {
  readonly records: IdempotencyRepository;
  readonly keys: Pick<KeyService, 'current'>;
  readonly now: () => Date;
}

const keptMs = 24 * 3_600_000;
/** A request that has not ended by then died with its process. */
const abandonedMs = 60_000;

export function createIdempotencyService({
  records,
  keys,
  now,
}: IdempotencyServiceParts): IdempotencyService {
  const contextOf = ({ principal, key }: IdempotentRequest) => `hv1|replay|${principal}|${key}`;

  /** Answers can hold secrets, so they are sealed like them. */
  function open(request: IdempotentRequest, sealed: Buffer): StoredAnswer | undefined {
    for (const master of keys.current().all) {
      try {
        return JSON.parse(unseal(master.replay, sealed, contextOf(request)).toString('utf8')) as StoredAnswer;
      } catch {
        // Sealed under another of the keys, or under one that is gone.
      }
    }
    return undefined;
  }

  const isSame = (request: IdempotentRequest, fingerprint: Buffer) =>
    keys.current().all.some((master) => fingerprintOf(master, request).equals(fingerprint));

  async function replay(request: IdempotentRequest): Promise<StoredAnswer> {
    const record = await records.find(request.principal, request.key);
    const sealed = record?.response ?? undefined;
    const answer = sealed && open(request, sealed);
    if (sealed !== undefined && answer === undefined) {
      // Under a key that is gone: whether it was the same request cannot be told any more either.
      throw new VaultError('conflict', 'The first answer can no longer be read.');
    }
    if (record !== undefined && !isSame(request, record.fingerprint)) {
      throw new VaultError('idempotency_key_reused');
    }
    if (answer === undefined) {
      throw new VaultError('request_in_progress', undefined, { headers: { 'retry-after': '1' } });
    }
    if (answer.onceOnly !== undefined) {
      throw new VaultError('already_created', undefined, { facts: answer.onceOnly });
    }
    return answer;
  }

  return {
    async once(request, work) {
      const at = now().getTime();
      const first = await records.claim(
        request.principal,
        request.key,
        fingerprintOf(keys.current().active, request),
        new Date(at + keptMs),
        new Date(at - abandonedMs),
      );
      if (!first) return { answer: await replay(request), replayed: true };
      let answer: StoredAnswer;
      try {
        answer = await work();
      } catch (error) {
        // Nothing was done, so the key is free for another try.
        await records.release(request.principal, request.key);
        throw error;
      }
      const { json, ...rest } = answer;
      const kept = answer.onceOnly === undefined ? answer : rest;
      const sealed = seal(
        keys.current().active.replay,
        Buffer.from(JSON.stringify(kept), 'utf8'),
        contextOf(request),
      );
      await records.complete(request.principal, request.key, answer.status, sealed);
      return { answer: { ...rest, json }, replayed: false };
    },

    removeExpired: records.removeExpired,
  };
}

/** Keyed, because a request holds values: without the master key nobody can test a guess of one. */
function fingerprintOf(master: DerivedKeys, { content }: IdempotentRequest): Buffer {
  return createHmac('sha256', master.repeat).update(content).digest();
}
