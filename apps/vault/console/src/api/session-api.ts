import type { IdentityMessage } from '@hearth/protocol-types/vault/identity';
import type { ProviderMessage } from '@hearth/protocol-types/vault/provider';
import type { CurrentSession, RevokedSessions, SessionSummary } from '@hearth/protocol-types/vault/session';
import { callApi, callJson, pathOf } from './client.js';

export const listProviders = () => callJson<ProviderMessage[]>('/api/providers');
export const readSession = () => callJson<CurrentSession>('/api/session', { mayBeSignedOut: true });
export const signOut = () => callApi('/api/session', { method: 'DELETE' });

export const listSessions = () => callJson<SessionSummary[]>('/api/sessions');
export const revokeSession = (id: string) => callApi(pathOf`/api/sessions/${id}`, { method: 'DELETE' });
export const revokeOtherSessions = () => callJson<RevokedSessions>('/api/sessions', { method: 'DELETE' });

export const listIdentities = () => callJson<IdentityMessage[]>('/api/identities');
export const unlinkIdentity = (id: string) => callApi(pathOf`/api/identities/${id}`, { method: 'DELETE' });
