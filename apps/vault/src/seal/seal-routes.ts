import { type SealStatus, sealStatusSchema } from '@hearth/protocol-types/vault/seal';
import type { Caller } from '../access/caller.js';
import type { IsOperator } from '../accounts/operator-rule.js';
import { eventBy } from '../audit/audit-event.js';
import type { AuditService } from '../audit/audit-service.js';
import { systemUserId } from '../audit/system-event.js';
import { VaultError } from '../errors/vault-error.js';
import { defineOperation, type Operation } from '../http/operations/operation.js';
import { sessionFor } from '../http/session-for.js';
import type { Session } from '../sessions/session.js';
import { unsealOperation } from './unseal-operation.js';
import type { VaultSeal } from './vault-seal.js';

const sealPath = '/api/sys/seal';

export interface SealRouteParts {
  readonly seal: VaultSeal;
  readonly isOperator: IsOperator;
  readonly audit: Pick<AuditService, 'recordAlone'>;
}

/** Sealing, for operators; and the way back, which an open vault only describes. */
export function sealRoutes({ seal, isOperator, audit }: SealRouteParts): Operation[] {
  async function requireOperator(caller: Caller, session: Session): Promise<void> {
    if (await isOperator(session)) return;
    await audit.recordAlone(eventBy(caller, 'sys.seal', { outcome: 'denied' }));
    throw new VaultError(
      'forbidden',
      'Sealing stops the vault for everybody: only the logins of VAULT_OPERATORS may do it, or the only account while there is only one. A GitHub name counts for who has signed in with that login.',
    );
  }
  return [
    defineOperation({
      id: 'getSeal',
      method: 'get',
      path: sealPath,
      tag: 'Seal',
      summary: 'Whether the vault can be sealed, and by this person',
      access: { kind: 'session', fresh: false },
      replies: { 200: { description: 'An open vault; a sealed one answers 503', schema: sealStatusSchema } },
      async handle({ request }) {
        const json: SealStatus = {
          has_passphrase: seal.canUnseal(),
          may_seal: await isOperator(sessionFor(request)),
        };
        return { status: 200, json };
      },
    }),
    defineOperation({
      id: 'sealVault',
      method: 'post',
      path: sealPath,
      tag: 'Seal',
      summary: 'Seal the vault',
      description:
        'Overwrites the keys in the memory of the process that answers; until it is unsealed it answers 503 `sealed`. Only for operators, and only where the master key file has a passphrase.',
      access: { kind: 'session', fresh: true },
      replies: { 204: { description: 'The vault is sealed' } },
      async handle({ caller, request }) {
        await requireOperator(caller, sessionFor(request));
        if (!seal.canUnseal()) {
          throw new VaultError(
            'conflict',
            'The master key file has no passphrase, so nobody could unseal the vault: give it one with hearth-vault seal-key.',
          );
        }
        const sealed = eventBy(caller, 'sys.seal');
        // Other operators cannot read the log of this account, and must know who stopped the vault.
        await audit.recordAlone(sealed, { ...sealed, userId: systemUserId });
        seal.seal();
        return { status: 204 };
      },
    }),
    unsealOperation(async () => {
      throw new VaultError('conflict', 'The vault is not sealed.');
    }),
  ];
}
