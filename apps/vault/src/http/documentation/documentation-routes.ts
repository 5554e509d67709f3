import { randomBytes } from 'node:crypto';
import { Router } from 'express';
import type { Operation } from '../operations/operation.js';
import { documentationPage } from './documentation-page.js';
import { openApiDocument } from './openapi-document.js';

/** The description of the API, for programs and for people. Both are public: they say nothing of anyone's data. */
export function documentationRoutes(operations: readonly Operation[], version: string): Router {
  const document = openApiDocument(operations, version);
  const router = Router();
  router.get('/api/openapi.json', (_request, response) => {
    response.json(document);
  });
  router.get('/docs', (_request, response) => {
    const nonce = randomBytes(16).toString('base64');
    response
      .set(
        'content-security-policy',
        `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      )
      .type('html')
      .send(documentationPage(document, nonce));
  });
  return router;
}
