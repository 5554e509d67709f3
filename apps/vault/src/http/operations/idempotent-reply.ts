import { vaultLimits } from '@hearth/protocol-types/vault/limits';
import type { Request } from 'express';
import type { Caller } from '../../access/caller.js';
import { VaultError } from '../../errors/vault-error.js';
import type { IdempotencyService } from '../../idempotency/idempotency-service.js';
import type { Reply } from './operation.js';

/** With an Idempotency-Key, a request that is sent again (after a lost answer, say) is done once. */
export async function idempotentReply(
  request: Request,
  caller: Caller,
  idempotency: IdempotencyService,
  handle: () => Promise<Reply>,
): Promise<Reply> {
  const key = request.get('idempotency-key');
  if (key === undefined) return handle();
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > vaultLimits.idempotencyKeyLength) {
    throw new VaultError(
      'invalid_request',
      `Idempotency-Key must be 1 to ${vaultLimits.idempotencyKeyLength} visible ASCII characters.`,
    );
  }
  const content = `${request.method}|${request.originalUrl}|${JSON.stringify(request.body ?? null)}`;
  const { answer, replayed } = await idempotency.once({ principal: caller.id, key, content }, async () => {
    const { status, headers = {}, json, onceOnly } = await handle();
    return { status, headers, json, ...(onceOnly === undefined ? {} : { onceOnly }) };
  });
  const { status, headers, json } = answer;
  return { status, json, headers: replayed ? { ...headers, 'idempotency-replayed': 'true' } : headers };
}
