import { commandError } from './command-context.js';

/** Where the server is: `HEARTH_HOST` as an address, a host or host:port, with `HEARTH_PORT` beside it. */
export function serverAddress(env: NodeJS.ProcessEnv): string {
  const host = env['HEARTH_HOST']?.trim() || '127.0.0.1';
  const port = env['HEARTH_PORT']?.trim() || '11434';
  try {
    if (/^https?:\/\//i.test(host)) return new URL(host).origin;
    const isBareIpv6 = host.split(':').length > 2 && !host.startsWith('[');
    const named = isBareIpv6 ? `[${host}]` : host;
    const url = new URL(`http://${named}`);
    // A server that listens everywhere is reached here at home.
    if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
    if (url.hostname === '[::]') url.hostname = '[::1]';
    if (!/:\d+$/.test(named)) url.port = port;
    return url.origin;
  } catch {
    throw commandError('HEARTH_HOST is not an address: write it as host, host:port or http://host:port');
  }
}
