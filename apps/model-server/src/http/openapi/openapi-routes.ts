import { Router } from 'express';
import { onlyMethods } from '../unknown-path.js';
import { openApiDocument } from './openapi-document.js';
import type { ApiFamily } from './operation.js';

/** The description of each family, and one page that says where they are. */
export function openApiRoutes(families: readonly ApiFamily[], version: string): Router {
  const router = Router();
  for (const family of families) {
    const document = openApiDocument(family, version);
    router
      .route(family.documentPath)
      .get((_request, response) => {
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
