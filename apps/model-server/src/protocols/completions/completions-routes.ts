import { Router } from 'express';
import type { TextGenerator } from '../../generation/text-generator.js';
import { onlyMethods } from '../../http/unknown-path.js';
import type { ModelCatalogue } from '../../models/model-catalogue.js';
import { renderModelList } from './render-models.js';

export interface CompletionsParts {
  readonly catalogue: ModelCatalogue;
  readonly generator: TextGenerator;
}

/** The chat-completions family, below `/v1`. */
export function completionsRoutes({ catalogue }: CompletionsParts): Router {
  const router = Router();
  router
    .route('/v1/models')
    .get(async (_request, response) => {
      response.json(renderModelList(await catalogue.list()));
    })
    .all(onlyMethods('GET', 'HEAD'));
  return router;
}
