import { type UnsealRequest, unsealRequestSchema } from '@hearth/protocol-types/vault/seal';
import type { Request } from 'express';
import { defineOperation, type Operation } from '../http/operations/operation.js';

export const unsealPath = '/api/sys/unseal';

/** The one operation that a sealed vault has. An open one documents it, and answers that there is nothing to do. */
export function unsealOperation(unseal: (body: UnsealRequest, request: Request) => Promise<void>): Operation {
  return defineOperation({
    id: 'unsealVault',
    method: 'post',
    path: unsealPath,
    tag: 'Seal',
    summary: 'Unseal the vault',
    description:
      'Opens the master key file with its passphrase. Each vault process is unsealed for itself. A vault that is not sealed answers 409 and does not look at the passphrase.',
    access: { kind: 'public' },
    body: unsealRequestSchema,
    replies: { 204: { description: 'The vault is open' } },
    async handle({ body, request }) {
      await unseal(body, request);
      return { status: 204 };
    },
  });
}
