import { z } from 'zod';

/** What a token may be allowed to do. */
export const scopeNames = [
  'vaults:read',
  'vaults:write',
  'secrets:list',
  'secrets:read',
  'secrets:write',
  'secrets:delete',
  'versions:read',
  'secrets:rollback',
  'export:read',
  'import:write',
  'audit:read',
  'tokens:read',
  'models:use',
  'models:manage',
] as const;

export type Scope = (typeof scopeNames)[number];

export const scopeSchema = z
  .enum(scopeNames, { error: `must be one of ${scopeNames.join(', ')}` })
  .meta({ id: 'Scope' });
