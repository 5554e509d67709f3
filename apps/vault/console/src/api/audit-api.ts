import type { AuditEventMessage, AuditVerificationMessage } from '@hearth/protocol-types/vault/audit';
import { callApi, callJson, nextLink, withQuery } from './client.js';

export interface AuditFilters {
  /** Undefined is one's own. */
  readonly log?: string | undefined;
  readonly action?: string | undefined;
  readonly outcome?: string | undefined;
  readonly vault?: string | undefined;
  readonly target?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface AuditPage {
  readonly events: readonly AuditEventMessage[];
  /** Where the next page is; undefined at the end. */
  readonly next: string | undefined;
}

const pageSize = 100;

/** `page` is the address of a later page, as the page before gave it. */
export async function readAudit(filters: AuditFilters, page?: string): Promise<AuditPage> {
  const response = await callApi(page ?? withQuery('/api/secrets/audit', { ...filters, limit: pageSize }));
  return {
    events: (await response.json()) as AuditEventMessage[],
    next: nextLink(response.headers.get('link')),
  };
}

export async function exportAudit(filters: AuditFilters): Promise<Blob> {
  const response = await callApi('/api/secrets/audit/export.ndjson', {
    query: { ...filters },
    headers: { accept: '*/*' },
  });
  return response.blob();
}

export const verifyAudit = (log: string | undefined) =>
  callJson<AuditVerificationMessage>('/api/secrets/audit/verify', { query: { log } });
