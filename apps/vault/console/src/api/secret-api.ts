import type { BatchResponse } from '@hearth/protocol-types/vault/batch';
import type { ExportQuery } from '@hearth/protocol-types/vault/export-query';
import type { ImportResponse } from '@hearth/protocol-types/vault/import';
import type { MoveRequest } from '@hearth/protocol-types/vault/move-request';
import type {
  SecretMessage,
  SecretValueMessage,
  WrittenSecretMessage,
} from '@hearth/protocol-types/vault/secret';
import type { SecretVersionMessage } from '@hearth/protocol-types/vault/secret-version';
import type { UpdateSecretRequest } from '@hearth/protocol-types/vault/update-secret-request';
import { callApi, callJson, pathOf } from './client.js';

/** Which secret: its vault, environment, folder and key. */
export interface SecretPlace {
  readonly vaultId: string;
  readonly env: string;
  readonly path: string;
  readonly key: string;
}

export interface WriteSecret {
  readonly value: string;
  readonly encoding?: 'utf8' | 'base64';
  readonly note?: string | null;
  readonly tags?: string[];
}

export type ImportMode = 'merge' | 'skip' | 'replace';
export type ExportFormat = ExportQuery['format'];

const urlOf = ({ vaultId, key }: SecretPlace) => pathOf`/api/secrets/vaults/${vaultId}/secrets/${key}`;
const queryOf = ({ env, path }: SecretPlace) => ({ env, path });

/** Names and metadata only. The console never asks for values in bulk. */
export const listSecrets = (vaultId: string) =>
  callJson<SecretMessage[]>(pathOf`/api/secrets/vaults/${vaultId}/secrets`);

export const listTrash = (vaultId: string) =>
  callJson<SecretMessage[]>(pathOf`/api/secrets/vaults/${vaultId}/secrets`, { query: { trash: true } });

export const readSecret = (place: SecretPlace, signal?: AbortSignal) =>
  callJson<SecretValueMessage>(urlOf(place), { query: queryOf(place), ...(signal ? { signal } : {}) });

/** 0: only where nothing is yet; any other version: only over that very one. Every change says what it replaces. */
const onlyOver = (version: number): Readonly<Record<string, string>> =>
  version === 0 ? { 'if-none-match': '*' } : { 'if-match': `"${version}"` };

export const writeSecret = (place: SecretPlace, body: WriteSecret, version: number) =>
  callJson<WrittenSecretMessage>(urlOf(place), {
    method: 'PUT',
    query: queryOf(place),
    body,
    headers: onlyOver(version),
  });

export const updateSecret = (place: SecretPlace, body: UpdateSecretRequest, version: number) =>
  callJson<SecretMessage>(urlOf(place), {
    method: 'PATCH',
    query: queryOf(place),
    body,
    headers: onlyOver(version),
  });

/** To another environment, another folder, or both, just as they were seen: all of them or none. */
export const moveSecrets = (
  vaultId: string,
  secrets: readonly SecretMessage[],
  to: { readonly env?: string; readonly path?: string },
) =>
  callJson<SecretMessage[]>(pathOf`/api/secrets/vaults/${vaultId}/move`, {
    method: 'POST',
    body: {
      secrets: secrets.map(({ environment: env, path, key, version }) => ({
        env,
        path,
        key,
        if_version: version,
      })),
      to,
    } satisfies MoveRequest,
  });

export const deleteSecret = (place: SecretPlace, version: number) =>
  callApi(urlOf(place), { method: 'DELETE', query: queryOf(place), headers: onlyOver(version) });

export const restoreSecret = (place: SecretPlace) =>
  callJson<SecretMessage>(`${urlOf(place)}/restore`, { method: 'POST', query: queryOf(place) });

/** Out of the trash for good; never a secret of the same name that has been made since. */
export const destroySecret = (place: SecretPlace) =>
  callApi(urlOf(place), {
    method: 'DELETE',
    query: { ...queryOf(place), destroy: true, confirm: place.key },
    headers: onlyOver(0),
  });

export const listVersions = (place: SecretPlace) =>
  callJson<SecretVersionMessage[]>(`${urlOf(place)}/versions`, { query: queryOf(place) });

/** The same new secret in several environments: in all of them or in none. */
export const addSecret = (
  place: Omit<SecretPlace, 'env'>,
  environments: readonly string[],
  body: WriteSecret,
) =>
  callJson<BatchResponse>(pathOf`/api/secrets/vaults/${place.vaultId}/batch`, {
    method: 'POST',
    body: {
      operations: environments.map((env) => ({
        op: 'put',
        env,
        path: place.path,
        key: place.key,
        if_version: 0,
        ...body,
      })),
    },
  });

export const readVersion = (place: SecretPlace, version: number) =>
  callJson<SecretVersionMessage>(`${urlOf(place)}/versions/${version}`, { query: queryOf(place) });

export const rollbackSecret = (place: SecretPlace, version: number, current: number) =>
  callJson<WrittenSecretMessage>(`${urlOf(place)}/rollback`, {
    method: 'POST',
    query: queryOf(place),
    body: { version },
    headers: onlyOver(current),
  });

export interface ImportOptions {
  readonly vaultId: string;
  readonly env: string;
  readonly path: string;
  readonly mode: ImportMode;
  readonly text: string;
}

/** What an import would do to the vault as it was when it was looked at. */
export interface ImportPreviewed {
  readonly plan: ImportResponse;
  readonly etag: string;
}

export async function previewImport(options: ImportOptions): Promise<ImportPreviewed> {
  const response = await callImport(options, true, {});
  return { plan: (await response.json()) as ImportResponse, etag: response.headers.get('etag') ?? '' };
}

/** Does just what was shown: not if the vault has changed since. */
export async function runImport(options: ImportOptions, etag: string): Promise<ImportResponse> {
  return (await (await callImport(options, false, { 'if-match': etag })).json()) as ImportResponse;
}

function callImport(options: ImportOptions, dryRun: boolean, headers: Readonly<Record<string, string>>) {
  const { vaultId, env, path, mode, text } = options;
  return callApi(pathOf`/api/secrets/vaults/${vaultId}/import`, {
    method: 'POST',
    query: { env, path, mode, dry_run: dryRun },
    body: jsonObjectIn(text) ?? text,
    headers,
  });
}

/** A file that holds one JSON object goes as such; everything else is read as .env by the vault. */
function jsonObjectIn(text: string): object | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

export interface ExportOptions {
  readonly vaultId: string;
  readonly env: string;
  readonly path: string;
  readonly format: ExportFormat;
}

export const exportSecrets = async ({ vaultId, ...query }: ExportOptions): Promise<Blob> => {
  const response = await callApi(pathOf`/api/secrets/vaults/${vaultId}/export`, {
    query: { ...query },
    headers: { accept: '*/*' },
  });
  return response.blob();
};
