import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { RequestHandler, Response } from 'express';

interface BuiltFile {
  readonly plain: Buffer;
  readonly gzip: Buffer;
}

/**
 * Serves the files of one folder from memory, compressed for whoever takes it. They are few, and hold nothing of
 * anybody: replies with secrets are never compressed, because their size would then tell of them.
 */
export function builtFiles(folder: string, matches: RegExp, cacheControl: string): RequestHandler {
  const files = new Map<string, BuiltFile>();
  for (const name of readdirSync(folder)) {
    if (!matches.test(name)) continue;
    const plain = readFileSync(path.join(folder, name));
    files.set(`/${name}`, { plain, gzip: gzipSync(plain, { level: 9 }) });
  }
  return (request, response, next) => {
    const file = files.get(request.path);
    if (!file || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
    response.set({ 'cache-control': cacheControl, vary: 'accept-encoding' }).type(path.extname(request.path));
    sendSmallest(response, file, request.acceptsEncodings('gzip') === 'gzip');
  };
}

function sendSmallest(response: Response, { plain, gzip }: BuiltFile, takesGzip: boolean): void {
  if (takesGzip && gzip.length < plain.length) response.set('content-encoding', 'gzip').send(gzip);
  else response.send(plain);
}
