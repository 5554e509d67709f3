import express, { type Request, type RequestHandler } from 'express';
import { VaultError } from '../../errors/vault-error.js';
import { inOrder } from '../in-order.js';
import { limits } from '../limits.js';
import { leakReportPath } from './open-paths.js';

declare global {
  namespace Express {
    interface Request {
      /** The body of a report as it came, byte by byte: its signature is over these. */
      rawBody?: Buffer;
    }
  }
}

const importPath = /^\/api\/secrets\/vaults\/[^/]+\/import$/;
const formPath = /^\/api\/secrets\/introspect$/;

/**
 * Reads bodies, each up to its limit, and only in the forms that a path takes. It stands behind the question of who
 * is calling: the bodies of strangers are read for nothing, but for the reports that only strangers send. Most
 * requests have none and pass at once.
 */
export function bodyLimits(): RequestHandler {
  const json = express.json({ limit: limits.bodyBytes });
  const importJson = express.json({ limit: limits.importBodyBytes });
  const importText = express.text({
    type: ['text/plain', 'application/octet-stream'],
    limit: limits.importBodyBytes,
  });
  const report = express.json({
    limit: limits.bodyBytes,
    strict: false,
    verify: (request, _response, bytes) => {
      (request as Request).rawBody = bytes;
    },
  });
  const form = express.urlencoded({ extended: false, limit: limits.bodyBytes });
  const only =
    (matches: (request: Request) => boolean, handler: RequestHandler): RequestHandler =>
    (request, response, next) =>
      matches(request) ? handler(request, response, next) : next();
  const isImport = (request: Request) => importPath.test(request.path);
  const isReport = (request: Request) => request.path === leakReportPath;
  const isForm = (request: Request) => formPath.test(request.path);
  const read = inOrder(
    [
      only(isImport, importJson),
      only(isImport, importText),
      only(isForm, form),
      only(isReport, report),
      only((request) => !isImport(request) && !isReport(request), json),
      refuseUnread,
    ].map((handle) => ({ under: '/', handle })),
  );
  return (request, response, next) => (announcesBody(request) ? read(request, response, next) : next());
}

function announcesBody({ headers }: Request): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** A body that no reader took would otherwise be ignored without a word. */
const refuseUnread: RequestHandler = (request, _response, next) => {
  if (request.headers['content-length'] !== '0' && request.body === undefined) {
    throw new VaultError('unsupported_media_type', 'Send the body as application/json.');
  }
  next();
};
