import type { SealStatus, UnsealRequest } from '@hearth/protocol-types/vault/seal';
import { callApi, callJson } from './client.js';

export const readSeal = () => callJson<SealStatus>('/api/sys/seal');
export const sealVault = () => callApi('/api/sys/seal', { method: 'POST' });
export const unsealVault = (body: UnsealRequest) => callApi('/api/sys/unseal', { method: 'POST', body });

/** Whether the vault answers again: anybody may ask for the list of providers. */
export const isOpen = () =>
  callApi('/api/providers').then(
    () => true,
    () => false,
  );
