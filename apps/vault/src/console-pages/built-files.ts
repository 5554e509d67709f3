import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RequestHandler } from 'express';
import { type FixedBody, fixedBody, sendFixedBody } from '../http/fixed-body.js';

/** Serves the files of one folder from memory, compressed for whoever takes it. They are few. */
export function builtFiles(folder: string, matches: RegExp, cacheControl: string): RequestHandler {
  const files = new Map<string, FixedBody>();
  for (const name of readdirSync(folder)) {
    if (matches.test(name)) files.set(`/${name}`, fixedBody(readFileSync(path.join(folder, name))));
  }
  return (request, response, next) => {
    const file = files.get(request.path);
    if (!file || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
    response.set('cache-control', cacheControl).type(path.extname(request.path));
    sendFixedBody(response, file);
  };
}
