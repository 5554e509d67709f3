import { moveRequestSchema } from '@hearth/protocol-types/vault/move-request';
import { secretSchema } from '@hearth/protocol-types/vault/secret';
import { z } from 'zod';
import { defineOperation, type Operation, scopes } from '../http/operations/operation.js';
import { vaultParams } from '../http/operations/shared-params.js';
import type { MoveService } from './move-service.js';
import { toMessage } from './secret-messages.js';
import { versionCondition } from './write-condition.js';

export function moveRoutes({ moves }: { moves: MoveService }): Operation[] {
  return [
    defineOperation({
      id: 'moveSecrets',
      method: 'post',
      path: '/api/secrets/vaults/{vault_id}/move',
      tag: 'Secrets',
      summary: 'Move secrets to another environment or folder, all or none',
      description:
        'They keep their versions and their history. Where there are secrets of the same names already, the answer is 409 key_taken and names each of them in errors; nothing is moved then. Another environment needs secrets:delete, too.',
      access: scopes('secrets:write'),
      params: vaultParams,
      body: moveRequestSchema,
      idempotencyKey: true,
      replies: {
        200: {
          description: 'The secrets at their new places, in the order of the request',
          schema: z.array(secretSchema),
        },
      },
      async handle({ caller, params, body }) {
        const wanted = body.secrets.map(({ env, path, key, if_version: version }) => ({
          environment: env,
          path,
          key,
          condition: versionCondition(version),
        }));
        const to = { environment: body.to.env, path: body.to.path };
        const moved = await moves.move(caller, params.vault_id, wanted, to);
        return { status: 200, json: moved.map((secret) => toMessage(secret)) };
      },
    }),
  ];
}
