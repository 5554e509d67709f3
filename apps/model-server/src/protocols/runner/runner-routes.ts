import { Router } from 'express';
import { onlyMethods } from '../../http/unknown-path.js';
import type { ModelCatalogue } from '../../models/model-catalogue.js';
import { renderTags } from './render-tags.js';

/** The local-runner family, below `/api`. */
export function runnerRoutes({ catalogue }: { catalogue: ModelCatalogue }): Router {
  const router = Router();
  router
    .route('/api/tags')
    .get(async (_request, response) => {
      response.json(renderTags(await catalogue.list()));
    })
    .all(onlyMethods('GET', 'HEAD'));
  return router;
}
