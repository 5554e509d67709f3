import { pagingQuerySchema } from '@hearth/protocol-types/vault/paging-query';
import { type VaultDetail, vaultDetailSchema } from '@hearth/protocol-types/vault/vault-detail';
import {
  createVaultRequestSchema,
  updateVaultRequestSchema,
} from '@hearth/protocol-types/vault/vault-request';
import { type VaultSummary, vaultSummarySchema } from '@hearth/protocol-types/vault/vault-summary';
import { z } from 'zod';
import { defineOperation, type Operation, scopes } from '../http/operations/operation.js';
import { cutPage, type Paging } from '../http/operations/paging.js';
import { readPrecondition, revisionIn } from '../http/operations/preconditions.js';
import { vaultParams } from '../http/operations/shared-params.js';
import type { ListedVault, Vault } from './vault.js';
import type { VaultService } from './vault-service.js';

const tag = 'Vaults';
const ifMatch = { 'If-Match': 'Only if the vault is still at this revision, by its ETag' };

export function vaultRoutes({ vaults, paging }: { vaults: VaultService; paging: Paging }): Operation[] {
  return [
    defineOperation({
      id: 'listVaults',
      method: 'get',
      path: '/api/secrets/vaults',
      tag,
      summary: 'List vaults',
      access: scopes('vaults:read'),
      query: pagingQuerySchema,
      replies: {
        200: {
          description: 'The vaults, oldest first',
          schema: z.array(vaultSummarySchema),
          headers: { Link: 'The next page, where there is one' },
        },
      },
      async handle({ caller, query, request }) {
        const [createdAt, id] = paging.read('vaults', query.cursor) ?? [];
        const after =
          createdAt === undefined ? undefined : { createdAt: new Date(String(createdAt)), id: String(id) };
        const { page, last } = cutPage(await vaults.list(caller, after, query.limit + 1), query.limit);
        const next = last && [last.createdAt.toISOString(), last.id];
        return { status: 200, json: page.map(toSummary), headers: paging.link(request, 'vaults', next) };
      },
    }),
    defineOperation({
      id: 'createVault',
      method: 'post',
      path: '/api/secrets/vaults',
      tag,
      summary: 'Make a vault',
      description:
        'It starts with the environments dev, staging and prod, and a data key of its own. Not for a token that is limited to vaults or environments.',
      access: scopes('vaults:write'),
      body: createVaultRequestSchema,
      idempotencyKey: true,
      replies: { 201: { description: 'The new vault', schema: vaultDetailSchema } },
      async handle({ caller, body }) {
        const vault = await vaults.create(caller, body.name);
        return {
          status: 201,
          json: toDetail(vault),
          headers: { location: `/api/secrets/vaults/${vault.id}`, etag: etagOf(vault) },
        };
      },
    }),
    defineOperation({
      id: 'getVault',
      method: 'get',
      path: '/api/secrets/vaults/{vault_id}',
      tag,
      summary: 'Get a vault',
      access: scopes('vaults:read'),
      params: vaultParams,
      replies: { 200: { description: 'The vault', schema: vaultDetailSchema } },
      async handle({ caller, params }) {
        const vault = await vaults.find(caller, params.vault_id);
        return { status: 200, json: toDetail(vault), headers: { etag: etagOf(vault) } };
      },
    }),
    defineOperation({
      id: 'updateVault',
      method: 'patch',
      path: '/api/secrets/vaults/{vault_id}',
      tag,
      summary: 'Rename a vault, or change its rule for writes',
      description: 'Not for a token that is limited to environments.',
      access: scopes('vaults:write'),
      params: vaultParams,
      body: updateVaultRequestSchema,
      headers: ifMatch,
      replies: { 200: { description: 'The vault', schema: vaultDetailSchema } },
      async handle({ caller, params, body, request }) {
        const revision = revisionIn(readPrecondition(request, 'r'));
        const change = { name: body.name, requiresPreconditions: body.requires_preconditions };
        const vault = await vaults.update(caller, params.vault_id, change, revision);
        return { status: 200, json: toDetail(vault), headers: { etag: etagOf(vault) } };
      },
    }),
    defineOperation({
      id: 'deleteVault',
      method: 'delete',
      path: '/api/secrets/vaults/{vault_id}',
      tag,
      summary: 'Delete a vault',
      description:
        'It is gone from the API at once; after 30 days its keys and values are destroyed. Not for a token that is limited to environments.',
      access: scopes('vaults:write', 'secrets:delete'),
      params: vaultParams,
      headers: ifMatch,
      replies: { 204: { description: 'Deleted' } },
      async handle({ caller, params, request }) {
        await vaults.remove(caller, params.vault_id, revisionIn(readPrecondition(request, 'r')));
        return { status: 204 };
      },
    }),
  ];
}

function etagOf(vault: Vault): string {
  return `"r${vault.revision}"`;
}

/** Exactly the four fields that the interface promises. */
function toSummary(vault: ListedVault): VaultSummary {
  return {
    id: vault.id,
    name: vault.name,
    is_encrypted: vault.isEncrypted,
    created_at: vault.createdAt.toISOString(),
  };
}

function toDetail(vault: Vault): VaultDetail {
  return {
    ...toSummary(vault),
    is_personal: vault.isPersonal,
    requires_preconditions: vault.requiresPreconditions,
    revision: vault.revision,
    updated_at: vault.updatedAt.toISOString(),
  };
}
