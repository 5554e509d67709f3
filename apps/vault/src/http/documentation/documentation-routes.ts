import { createHash } from 'node:crypto';
import { Router } from 'express';
import { fixedBody, sendFixedBody } from '../fixed-body.js';
import type { Operation } from '../operations/operation.js';
import { documentationPage } from './documentation-page.js';
import { documentationStyle } from './documentation-style.js';
import { openApiDocument } from './openapi-document.js';

/** The description of the API, for programs and for people. Both are public: they say nothing of anyone's data. */
export function documentationRoutes(
  operations: readonly Operation[],
  { version, publicUrl }: { readonly version: string; readonly publicUrl: string },
): Router {
  const document = openApiDocument(operations, version);
  const json = fixedBody(JSON.stringify(document));
  const page = fixedBody(documentationPage(document, publicUrl));
  const styleHash = createHash('sha256').update(documentationStyle).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  const router = Router();
  router.get('/api/openapi.json', (_request, response) => {
    sendFixedBody(response.type('json'), json);
  });
  router.get('/docs', (_request, response) => {
    sendFixedBody(response.set('content-security-policy', policy).type('html'), page);
  });
  return router;
}
