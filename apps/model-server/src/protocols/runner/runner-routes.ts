import { showRequestSchema } from '@hearth/protocol-types/runner/show-request';
import { type Request, Router } from 'express';
import { generationHandler } from '../../http/generation-handler.js';
import { parseBody } from '../../http/parse-body.js';
import { onlyMethods } from '../../http/unknown-path.js';
import { embeddingsHandler, embedHandler } from './embed-handlers.js';
import { findModel } from './find-model.js';
import { chatExchange, generateExchange } from './generation-exchanges.js';
import { renderPs } from './render-ps.js';
import { renderShow } from './render-show.js';
import { renderTags } from './render-tags.js';
import type { RunnerParts } from './runner-parts.js';

/**
 * Clients of this family compare the version with the one whose features they need. This is the version of the
 * family's API that is served here; ours stands beside it.
 */
const familyVersion = '0.32.15';

/** The local-runner family, below `/api`. */
export function runnerRoutes(given: Omit<RunnerParts, 'now'> & { readonly version: string }): Router {
  const { catalogue, generator, version } = given;
  const parts: RunnerParts = { catalogue, generator, now: () => new Date() };
  const router = Router();
  router
    .route('/api/generate')
    .post(generationHandler({ generator }, generateExchange(parts)))
    .all(onlyMethods('POST'));
  router
    .route('/api/chat')
    .post(generationHandler({ generator }, chatExchange(parts)))
    .all(onlyMethods('POST'));
  router.route('/api/embed').post(embedHandler(parts)).all(onlyMethods('POST'));
  router.route('/api/embeddings').post(embeddingsHandler(parts)).all(onlyMethods('POST'));
  router
    .route('/api/tags')
    .get(async (_request, response) => {
      response.json(renderTags(await catalogue.list()));
    })
    .all(onlyMethods('GET', 'HEAD'));
  router
    .route('/api/ps')
    .get(async (_request, response) => {
      const found = await Promise.all(
        generator.listLoaded().map(async (loaded) => {
          const entry = await catalogue.findIfThere(loaded.model);
          return entry ? [{ loaded, entry }] : [];
        }),
      );
      response.json(renderPs(found.flat()));
    })
    .all(onlyMethods('GET', 'HEAD'));
  router
    .route('/api/show')
    .post(async (request: Request, response) => {
      const body = parseBody(request, showRequestSchema);
      const found = await findModel(catalogue, body.model || body.name || '');
      const verbose = body.verbose === true;
      const header = await catalogue.readHeader(found, { verbose });
      const parameters = { ...found.parameters, ...body.options };
      response.json(
        renderShow({ ...found, parameters, system: body.system ?? found.system }, header, { verbose }),
      );
    })
    .all(onlyMethods('POST'));
  router
    .route('/api/version')
    .get((_request, response) => {
      response.json({ version: familyVersion, hearth: version });
    })
    .all(onlyMethods('GET', 'HEAD'));
  return router;
}
