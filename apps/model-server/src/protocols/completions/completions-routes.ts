import { chatRequestSchema } from '@hearth/protocol-types/completions/chat-request';
import { completionRequestSchema } from '@hearth/protocol-types/completions/completion-request';
import { embeddingsRequestSchema } from '@hearth/protocol-types/completions/embeddings-request';
import { rerankRequestSchema } from '@hearth/protocol-types/completions/rerank-request';
import { addAccessFacts } from '@hearth/service-kit/access-log';
import { Router } from 'express';
import { abortOnDisconnect } from '../../http/abort-on-disconnect.js';
import { generationHandler } from '../../http/generation-handler.js';
import { parseBody } from '../../http/parse-body.js';
import { onlyMethods } from '../../http/unknown-path.js';
import { modelRoutes } from './catalogue/model-routes.js';
import { chatExchange } from './chat/chat-exchange.js';
import { rerankAliases } from './completions-dialect.js';
import type { CompletionsParts } from './completions-parts.js';
import { embedTexts } from './embeddings/embed-texts.js';
import { findWriter } from './find-writer.js';
import { rankDocuments } from './rerank/rank-documents.js';
import { responsesRoutes } from './responses/responses-routes.js';
import { completionExchange } from './text/completion-exchange.js';

/** The chat-completions family, below `/v1`. */
export function completionsRoutes(parts: CompletionsParts): Router {
  const { catalogue, generator } = parts;
  const router = Router();
  router
    .route('/v1/chat/completions')
    .post(
      generationHandler(parts, async (request) => {
        const body = parseBody(request, chatRequestSchema);
        return chatExchange(body, await findWriter(catalogue, body.model));
      }),
    )
    .all(onlyMethods('POST'));
  router
    .route('/v1/completions')
    .post(
      generationHandler(parts, async (request, signal) => {
        const body = parseBody(request, completionRequestSchema);
        return completionExchange(body, await findWriter(catalogue, body.model), generator, signal);
      }),
    )
    .all(onlyMethods('POST'));
  router
    .route('/v1/embeddings')
    .post(async (request, response) => {
      const body = parseBody(request, embeddingsRequestSchema);
      await catalogue.find(body.model);
      const reply = await embedTexts(body, generator, abortOnDisconnect(response));
      addAccessFacts(response, { model: body.model, prompt_tokens: reply.usage.prompt_tokens });
      response.json(reply);
    })
    .all(onlyMethods('POST'));
  router
    .route(['/v1/rerank', ...rerankAliases])
    .post(async (request, response) => {
      const body = parseBody(request, rerankRequestSchema);
      const model = await catalogue.find(body.model);
      const reply = await rankDocuments(body, model, generator, abortOnDisconnect(response));
      addAccessFacts(response, { model: body.model, prompt_tokens: reply.usage.prompt_tokens });
      response.json(reply);
    })
    .all(onlyMethods('POST'));
  router.use(responsesRoutes(parts));
  router.use(modelRoutes(parts));
  return router;
}
