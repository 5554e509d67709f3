import { randomBytes } from 'node:crypto';

/** Unique among all replies of all servers: clients join logs and traces by it. */
export function newId(prefix: string): string {
  return `${prefix}${randomBytes(12).toString('hex')}`;
}
