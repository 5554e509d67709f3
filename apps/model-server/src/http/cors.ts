import type { RequestHandler } from 'express';
import { GenerationError } from '../generation/generation-error.js';

const localNames = new Set(['localhost', '127.0.0.1', '[::1]', '0.0.0.0']);
/** Programs on this machine that show pages of their own; no website can have such an origin. */
const desktopSchemes = new Set(['app:', 'file:', 'tauri:', 'vscode-webview:', 'vscode-file:']);

/**
 * Lets pages of this machine and of the configured origins call the server, with whatever headers their client
 * library sends. A page of any other origin is refused outright: because bodies are read whatever their type, a page
 * could otherwise make requests that need no preflight.
 *
 * An origin may end in `*` (`chrome-extension://*`); `*` alone allows every page.
 */
export function cors(configured: readonly string[]): RequestHandler {
  const isAllowed = (origin: string, host: string | undefined) =>
    isLocal(origin) || sameOrigin(origin, host) || configured.some((pattern) => matches(pattern, origin));
  return (request, response, next) => {
    const { origin, host } = request.headers;
    if (origin === undefined) return next();
    response.vary('Origin');
    if (!isAllowed(origin, host)) {
      throw new GenerationError(
        'forbidden',
        'pages of this origin may not use this server; allow it with HEARTH_ORIGINS',
      );
    }
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader(
      'access-control-expose-headers',
      'request-id, x-request-id, retry-after, hearth-left-to-server',
    );
    const method = request.headers['access-control-request-method'];
    if (request.method !== 'OPTIONS' || method === undefined) return next();
    response.vary('Access-Control-Request-Headers');
    response.setHeader('access-control-allow-methods', 'GET, HEAD, POST, PUT, DELETE');
    // Reflected, not listed: client libraries keep adding headers, and a missing one breaks them in every browser.
    const asked = request.headers['access-control-request-headers'];
    if (asked !== undefined) response.setHeader('access-control-allow-headers', asked);
    if (request.headers['access-control-request-private-network'] !== undefined) {
      response.setHeader('access-control-allow-private-network', 'true');
    }
    response.setHeader('access-control-max-age', '7200');
    response.status(204).end();
  };
}

function isLocal(origin: string): boolean {
  const url = urlOf(origin);
  if (url && desktopSchemes.has(url.protocol)) return true;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return false;
  return localNames.has(url.hostname) || url.hostname.endsWith('.localhost');
}

/** A page that this very server sent. */
function sameOrigin(origin: string, host: string | undefined): boolean {
  return host !== undefined && urlOf(origin)?.host === host.toLowerCase();
}

function matches(pattern: string, origin: string): boolean {
  return pattern.endsWith('*') ? origin.startsWith(pattern.slice(0, -1)) : origin === pattern;
}

export function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
