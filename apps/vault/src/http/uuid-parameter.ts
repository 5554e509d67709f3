import type { Request } from 'express';
import { VaultError } from '../errors/vault-error.js';

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An id from the path. What is not one cannot exist, so it is not found. */
export function uuidParameter(request: Request, name: string): string {
  const value = request.params[name];
  if (typeof value !== 'string' || !pattern.test(value)) throw new VaultError('not_found');
  return value.toLowerCase();
}
