import type { ModelDeleted, ModelList } from '@hearth/protocol-types/completions/model';
import { Router } from 'express';
import { mayManageModels } from '../../../http/may-manage-models.js';
import { onlyMethods } from '../../../http/unknown-path.js';
import type { CompletionsParts } from '../completions-parts.js';
import { renderModel } from './render-model.js';

export function modelRoutes({ catalogue, generator, library, verifier }: CompletionsParts): Router {
  const loadedNames = () => new Set(generator.listLoaded().map(({ model }) => model));
  const router = Router();
  router
    .route('/v1/models')
    .get(async (_request, response) => {
      const models = await catalogue.list();
      const loaded = loadedNames();
      const data = models.map((model) => renderModel(model, loaded.has(model.name)));
      response.json({ object: 'list', data } satisfies ModelList);
    })
    .all(onlyMethods('GET', 'HEAD'));
  router
    // Names may hold slashes; client libraries percent-encode them, people do not.
    .route('/v1/models/*name')
    .get(async (request, response) => {
      const model = await catalogue.find(request.params.name.join('/'));
      response.json(renderModel(model, loadedNames().has(model.name)));
    })
    .delete(mayManageModels(verifier), async (request, response, next) => {
      if (!library) return next();
      const { name } = await catalogue.find(request.params.name.join('/'));
      await library.delete(name);
      // It leaves memory once it is idle; the caller need not wait for the requests of others.
      void generator.unload(name).catch(() => false);
      response.json({ id: name, object: 'model', deleted: true } satisfies ModelDeleted);
    })
    .all(library ? onlyMethods('GET', 'HEAD', 'DELETE') : onlyMethods('GET', 'HEAD'));
  return router;
}
