import { environmentSchema } from '@hearth/protocol-types/vault/environment';
import {
  createEnvironmentRequestSchema,
  updateEnvironmentRequestSchema,
} from '@hearth/protocol-types/vault/environment-request';
import { querySwitch } from '@hearth/protocol-types/vault/fields';
import { z } from 'zod';
import { defineOperation, type Operation, scopes } from '../http/operations/operation.js';
import { environmentParams, vaultParams } from '../http/operations/shared-params.js';
import type { Environment } from './environment.js';
import type { EnvironmentService } from './environment-service.js';

const tag = 'Environments';
const list = '/api/secrets/vaults/{vault_id}/environments';
const one = `${list}/{slug}`;

export function environmentRoutes({ environments }: { environments: EnvironmentService }): Operation[] {
  return [
    defineOperation({
      id: 'listEnvironments',
      method: 'get',
      path: list,
      tag,
      summary: 'List the environments of a vault',
      access: scopes('vaults:read'),
      params: vaultParams,
      replies: { 200: { description: 'In their order', schema: z.array(environmentSchema) } },
      async handle({ caller, params }) {
        const all = await environments.list(caller, params.vault_id);
        return {
          status: 200,
          json: all.map((environment) => toMessage(environment, environment.secretCount)),
        };
      },
    }),
    defineOperation({
      id: 'createEnvironment',
      method: 'post',
      path: list,
      tag,
      summary: 'Add an environment',
      description: 'Not for a token that is limited to environments.',
      access: scopes('vaults:write'),
      params: vaultParams,
      body: createEnvironmentRequestSchema,
      idempotencyKey: true,
      replies: { 201: { description: 'The new environment', schema: environmentSchema } },
      async handle({ caller, params, body }) {
        const made = await environments.create(caller, params.vault_id, body);
        const location = `/api/secrets/vaults/${params.vault_id}/environments/${made.slug}`;
        return { status: 201, json: toMessage(made, 0), headers: { location } };
      },
    }),
    defineOperation({
      id: 'updateEnvironment',
      method: 'patch',
      path: one,
      tag,
      summary: 'Rename or move an environment',
      description:
        'A new slug changes no token’s reach: those limited to the old name follow in this vault, and keep the name in others. Not for a token that is limited to environments.',
      access: scopes('vaults:write'),
      params: environmentParams,
      body: updateEnvironmentRequestSchema,
      replies: { 200: { description: 'The environment', schema: environmentSchema } },
      async handle({ caller, params, body }) {
        const updated = await environments.update(caller, params.vault_id, params.slug, body);
        const all = await environments.list(caller, params.vault_id);
        const count = all.find(({ id }) => id === updated.id)?.secretCount ?? 0;
        return { status: 200, json: toMessage(updated, count) };
      },
    }),
    defineOperation({
      id: 'deleteEnvironment',
      method: 'delete',
      path: one,
      tag,
      summary: 'Delete an environment',
      description:
        'With cascade=true its secrets are destroyed with it; that needs secrets:delete, too. Not for a token that is limited to environments.',
      access: scopes('vaults:write'),
      params: environmentParams,
      query: z.object({ cascade: querySwitch.default(false) }),
      replies: { 204: { description: 'Deleted' } },
      async handle({ caller, params, query }) {
        await environments.remove(caller, params.vault_id, params.slug, query);
        return { status: 204 };
      },
    }),
  ];
}

function toMessage({ slug, position }: Environment, secretCount: number) {
  return { slug, position, secret_count: secretCount };
}
