import { countTokensRequestSchema } from '@hearth/protocol-types/messages/count-tokens-request';
import type { CountTokensResponse } from '@hearth/protocol-types/messages/count-tokens-response';
import { type RequestHandler, Router } from 'express';
import { abortOnDisconnect } from '../../http/abort-on-disconnect.js';
import { generationHandler } from '../../http/generation-handler.js';
import { modelDefaults } from '../../http/model-defaults.js';
import { parseBody } from '../../http/parse-body.js';
import { onlyMethods } from '../../http/unknown-path.js';
import { findModel } from './find-model.js';
import { messageExchange } from './message-exchange.js';
import type { MessagesParts } from './messages-parts.js';
import { parsePage } from './parse-page.js';
import { parsePrompt } from './parse-prompt.js';
import { renderModel, renderModelPage } from './render-models.js';

/** The messages family, below `/alt/v1`; agents expect its two main paths below `/v1` too. */
export function messagesRoutes(parts: MessagesParts): Router {
  const { catalogue, generator } = parts;
  const router = Router();
  router
    .route(['/alt/v1/messages', '/v1/messages'])
    .post(generationHandler({ generator }, messageExchange(parts)))
    .all(onlyMethods('POST'));
  router
    .route(['/alt/v1/messages/count_tokens', '/v1/messages/count_tokens'])
    .post(countTokens(parts))
    .all(onlyMethods('POST'));
  router
    .route('/alt/v1/models')
    .get(async (request, response) => {
      const page = parsePage(request);
      response.json(renderModelPage(await catalogue.list(), page));
    })
    .all(onlyMethods('GET', 'HEAD'));
  router
    // The name of a model from another registry has slashes in it.
    .route('/alt/v1/models/*id')
    .get(async (request, response) => {
      const id = request.params.id.join('/');
      response.json(renderModel(await catalogue.find(id)));
    })
    .all(onlyMethods('GET', 'HEAD'));
  return router;
}

function countTokens({ catalogue, generator }: MessagesParts): RequestHandler {
  return async (request, response) => {
    const body = parseBody(request, countTokensRequestSchema);
    const model = await findModel(catalogue, body.model);
    const prompt = parsePrompt(body, model, modelDefaults(model));
    const tokens = await generator.countTokens(prompt, abortOnDisconnect(response));
    response.json({ input_tokens: tokens } satisfies CountTokensResponse);
  };
}
