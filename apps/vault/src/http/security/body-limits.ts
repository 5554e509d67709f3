import express, { type Request, type RequestHandler } from 'express';
import { VaultError } from '../../errors/vault-error.js';
import { limits } from '../limits.js';

const importPath = /^\/api\/secrets\/vaults\/[^/]+\/import$/;
const formPath = /^\/api\/secrets\/introspect$/;

/**
 * Reads bodies, each up to its limit, and only in the forms that a path takes. It stands behind the question of who
 * is calling: the bodies of strangers are read for nothing.
 */
export function bodyLimits(): RequestHandler[] {
  const json = express.json({ limit: limits.bodyBytes });
  const importJson = express.json({ limit: limits.importBodyBytes });
  const importText = express.text({
    type: ['text/plain', 'application/octet-stream'],
    limit: limits.importBodyBytes,
  });
  const form = express.urlencoded({ extended: false, limit: limits.bodyBytes });
  const only =
    (matches: (request: Request) => boolean, handler: RequestHandler): RequestHandler =>
    (request, response, next) =>
      matches(request) ? handler(request, response, next) : next();
  const isImport = (request: Request) => importPath.test(request.path);
  const isForm = (request: Request) => formPath.test(request.path);
  return [
    only(isImport, importJson),
    only(isImport, importText),
    only(isForm, form),
    only((request) => !isImport(request), json),
    refuseUnread,
  ];
}

/** A body that no reader took would otherwise be ignored without a word. */
const refuseUnread: RequestHandler = (request, _response, next) => {
  const length = request.get('content-length');
  const hasBody = request.get('transfer-encoding') !== undefined || (length !== undefined && length !== '0');
  if (hasBody && request.body === undefined) {
    throw new VaultError('unsupported_media_type', 'Send the body as application/json.');
  }
  next();
};
