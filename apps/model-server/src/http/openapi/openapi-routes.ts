import { Router } from 'express';
import { onlyMethods } from '../unknown-path.js';
import { type OpenApiDocument, openApiDocument } from './openapi-document.js';
import type { ApiFamily } from './operation.js';

/** The description of each family, and one page that says where they are. */
export function openApiRoutes(families: readonly ApiFamily[], version: string): Router {
  const router = Router();
  for (const family of families) {
    // Made when first asked for: most servers are never asked, and all should start quickly.
    let document: OpenApiDocument | undefined;
    router
      .route(family.documentPath)
      .get((_request, response) => {
        document ??= openApiDocument(family, version);
        response.json(document);
      })
      .all(onlyMethods('GET', 'HEAD'));
  }
  const documents = families.map(({ title, documentPath }) => ({ title, url: documentPath }));
  router
    .route('/openapi.json')
    .get((_request, response) => {
      response.json({ documents });
    })
    .all(onlyMethods('GET', 'HEAD'));
  return router;
}
