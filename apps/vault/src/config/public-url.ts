import { isLoopbackHost } from './loopback.js';

/**
 * The address that browsers use. Without a setting it is this machine's: a vault that listens on every address is
 * still only meant for it until its operator names another one.
 */
export function publicUrlOf(configured: string | undefined, host: string, port: number): string {
  if (configured !== undefined) return configured;
  const name = isLoopbackHost(host) ? host : '127.0.0.1';
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
