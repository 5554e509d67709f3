import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { RequestHandler } from 'express';
import { GenerationError } from '../generation/generation-error.js';
import { urlOf } from './cors.js';

const localEndings = ['.localhost', '.local', '.internal'];

/**
 * A server on loopback answers only to names of this machine. A page can point a name of its own at 127.0.0.1 and
 * then passes for the same origin; the Host header still says the name.
 */
export function hostCheck(configuredOrigins: readonly string[]): RequestHandler {
  const configured = configuredOrigins.flatMap((origin) => urlOf(origin)?.hostname ?? []);
  const known = new Set(['localhost', hostname().toLowerCase(), ...configured]);
  return (request, _response, next) => {
    const { host } = request.headers;
    const name = host === undefined || host === '' ? undefined : urlOf(`http://${host}`)?.hostname;
    if (name !== undefined && isKnown(name, known)) return next();
    throw new GenerationError('host-not-allowed', 'this server does not answer to this Host');
  };
}

function isKnown(name: string, known: ReadonlySet<string>): boolean {
  // An address cannot be pointed elsewhere.
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0) return true;
  return known.has(name) || localEndings.some((ending) => name.endsWith(ending));
}
