import { chatRequestSchema } from '@hearth/protocol-types/completions/chat-request';
import { Router } from 'express';
import { generationHandler } from '../../http/generation-handler.js';
import { parseBody } from '../../http/parse-body.js';
import { onlyMethods } from '../../http/unknown-path.js';
import { modelRoutes } from './catalogue/model-routes.js';
import { chatExchange } from './chat/chat-exchange.js';
import type { CompletionsParts } from './completions-parts.js';

/** The chat-completions family, below `/v1`. */
export function completionsRoutes(parts: CompletionsParts): Router {
  const router = Router();
  router
    .route('/v1/chat/completions')
    .post(
      generationHandler(parts, async (request) => {
        const body = parseBody(request, chatRequestSchema);
        return chatExchange(body, await parts.catalogue.find(body.model));
      }),
    )
    .all(onlyMethods('POST'));
  router.use(modelRoutes(parts));
  return router;
}
