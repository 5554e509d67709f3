import type { EnvironmentMessage } from '@hearth/protocol-types/vault/environment';
import type { VaultDetail } from '@hearth/protocol-types/vault/vault-detail';
import type { UpdateVaultRequest } from '@hearth/protocol-types/vault/vault-request';
import type { VaultSummary } from '@hearth/protocol-types/vault/vault-summary';
import { callApi, callJson, pathOf } from './client.js';

export const listVaults = () => callJson<VaultSummary[]>('/api/secrets/vaults');
export const readVault = (id: string) => callJson<VaultDetail>(pathOf`/api/secrets/vaults/${id}`);
export const createVault = (name: string) =>
  callJson<VaultDetail>('/api/secrets/vaults', { method: 'POST', body: { name } });
export const updateVault = (id: string, body: UpdateVaultRequest) =>
  callJson<VaultDetail>(pathOf`/api/secrets/vaults/${id}`, { method: 'PATCH', body });
export const deleteVault = (id: string) => callApi(pathOf`/api/secrets/vaults/${id}`, { method: 'DELETE' });

export const listEnvironments = (vaultId: string) =>
  callJson<EnvironmentMessage[]>(pathOf`/api/secrets/vaults/${vaultId}/environments`);
export const createEnvironment = (vaultId: string, slug: string) =>
  callJson<EnvironmentMessage>(pathOf`/api/secrets/vaults/${vaultId}/environments`, {
    method: 'POST',
    body: { slug },
  });
export const renameEnvironment = (vaultId: string, slug: string, newSlug: string) =>
  callJson<EnvironmentMessage>(pathOf`/api/secrets/vaults/${vaultId}/environments/${slug}`, {
    method: 'PATCH',
    body: { slug: newSlug },
  });
export const deleteEnvironment = (vaultId: string, slug: string, cascade: boolean) =>
  callApi(pathOf`/api/secrets/vaults/${vaultId}/environments/${slug}`, {
    method: 'DELETE',
    query: { cascade },
  });
