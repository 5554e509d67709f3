import { Router } from 'express';
import type { TextGenerator } from '../../generation/text-generator.js';
import { onlyMethods } from '../../http/unknown-path.js';
import type { ModelCatalogue } from '../../models/model-catalogue.js';
import { renderTags } from './render-tags.js';

export interface RunnerParts {
  readonly catalogue: ModelCatalogue;
  readonly generator: TextGenerator;
}

/** The local-runner family, below `/api`. */
export function runnerRoutes({ catalogue }: RunnerParts): Router {
  const router = Router();
  router
    .route('/api/tags')
    .get(async (_request, response) => {
      response.json(renderTags(await catalogue.list()));
    })
    .all(onlyMethods('GET', 'HEAD'));
  return router;
}
