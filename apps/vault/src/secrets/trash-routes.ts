import { secretSchema } from '@hearth/protocol-types/vault/secret';
import { deleteSecretQuerySchema, secretPlaceQuerySchema } from '@hearth/protocol-types/vault/secret-query';
import type { Request } from 'express';
import { VaultError } from '../errors/vault-error.js';
import { checkAccess } from '../http/operations/check-access.js';
import { defineOperation, type Operation, scopes } from '../http/operations/operation.js';
import { readPrecondition } from '../http/operations/preconditions.js';
import { secretParams } from '../http/operations/shared-params.js';
import { toMessage, versionTag } from './secret-messages.js';
import { namedPlace } from './secret-routes.js';
import type { TrashService } from './trash-service.js';

const tag = 'Secrets';
const secret = '/api/secrets/vaults/{vault_id}/secrets/{key}';

export interface TrashRouteParts {
  readonly trash: TrashService;
  readonly isFresh: (request: Request) => boolean;
}

export function trashRoutes({ trash, isFresh }: TrashRouteParts): Operation[] {
  return [
    defineOperation({
      id: 'deleteSecret',
      method: 'delete',
      path: secret,
      tag,
      summary: 'Put a secret into the trash, or destroy it',
      description:
        'The trash keeps it for 30 days. With destroy=true it is wiped with all versions at once; that needs a browser session with a recent sign-in, and the key again in confirm.',
      access: scopes('secrets:delete'),
      params: secretParams,
      query: deleteSecretQuerySchema,
      headers: {
        'If-Match': 'Only if this is still the current version',
        'If-None-Match': '*: destroy only what is in the trash',
      },
      replies: { 204: { description: 'Done' } },
      async handle({ caller, params, query, request }) {
        const named = namedPlace(params, query);
        if (!query.destroy) {
          await trash.remove(caller, named, readPrecondition(request));
          return { status: 204 };
        }
        checkAccess({ kind: 'session', fresh: true }, request, isFresh);
        if (query.confirm !== params.key) {
          throw new VaultError('validation_failed', 'Give the key again in confirm to destroy it.', {
            errors: [{ pointer: '/query/confirm', code: 'mismatch', detail: 'must be the key itself' }],
          });
        }
        await trash.destroy(caller, named, readPrecondition(request));
        return { status: 204 };
      },
    }),
    defineOperation({
      id: 'restoreSecret',
      method: 'post',
      path: `${secret}/restore`,
      tag,
      summary: 'Take a secret out of the trash',
      access: scopes('secrets:delete'),
      params: secretParams,
      query: secretPlaceQuerySchema,
      idempotencyKey: true,
      replies: { 200: { description: 'The secret', schema: secretSchema } },
      async handle({ caller, params, query }) {
        const restored = await trash.restore(caller, namedPlace(params, query));
        return { status: 200, json: toMessage(restored), headers: { etag: versionTag(restored.version) } };
      },
    }),
  ];
}
