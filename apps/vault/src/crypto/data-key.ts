import { randomBytes } from 'node:crypto';
import { boxOverhead, seal, UnsealError, unseal } from './sealed-box.js';

/** The 32 bytes that seal the values of one vault; the database holds it only wrapped by the master key. */
export type DataKey = Buffer;

const dataKeyBytes = 32;
export const wrappedDataKeyBytes = dataKeyBytes + boxOverhead;

/** Where a wrapped key belongs. A row copied to another vault or version does not open there. */
export interface DataKeyPlace {
  readonly vaultId: string;
  readonly version: number;
  readonly masterKeyId: string;
}

export function makeDataKey(): DataKey {
  return randomBytes(dataKeyBytes);
}

export function wrapDataKey(wrapKey: Buffer, dataKey: DataKey, place: DataKeyPlace): Buffer {
  return seal(wrapKey, dataKey, contextOf(place));
}

export function unwrapDataKey(wrapKey: Buffer, wrapped: Buffer, place: DataKeyPlace): DataKey {
  if (wrapped.length !== wrappedDataKeyBytes) throw new UnsealError();
  return unseal(wrapKey, wrapped, contextOf(place));
}

function contextOf(place: DataKeyPlace): string {
  return `hv1|dek|${place.vaultId}|${place.version}|${place.masterKeyId}`;
}
