import { Router } from 'express';
import { onlyMethods } from '../../http/unknown-path.js';
import type { ModelCatalogue } from '../../models/model-catalogue.js';
import { renderModelList } from './render-models.js';

/** The chat-completions family, below `/v1`. */
export function completionsRoutes({ catalogue }: { catalogue: ModelCatalogue }): Router {
  const router = Router();
  router
    .route('/v1/models')
    .get(async (_request, response) => {
      response.json(renderModelList(await catalogue.list()));
    })
    .all(onlyMethods('GET', 'HEAD'));
  return router;
}
