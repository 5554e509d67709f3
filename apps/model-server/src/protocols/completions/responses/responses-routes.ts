import { responsesRequestSchema } from '@hearth/protocol-types/completions/responses-request';
import type { InputTokens } from '@hearth/protocol-types/completions/responses-response';
import { Router } from 'express';
import { GenerationError } from '../../../generation/generation-error.js';
import { abortOnDisconnect } from '../../../http/abort-on-disconnect.js';
import { generationHandler } from '../../../http/generation-handler.js';
import { parseBody } from '../../../http/parse-body.js';
import { onlyMethods } from '../../../http/unknown-path.js';
import type { CompletionsParts } from '../completions-parts.js';
import { findWriter } from '../find-writer.js';
import { parseResponsesRequest } from './parse-responses-request.js';
import { responsesExchange } from './responses-exchange.js';

export function responsesRoutes(parts: CompletionsParts): Router {
  const { catalogue, generator } = parts;
  const router = Router();
  router
    .route('/v1/responses')
    .post(
      generationHandler(parts, async (request) => {
        const body = parseBody(request, responsesRequestSchema);
        return responsesExchange(body, await findWriter(catalogue, body.model));
      }),
    )
    .all(onlyMethods('POST'));
  router
    .route('/v1/responses/input_tokens')
    .post(async (request, response) => {
      const body = parseBody(request, responsesRequestSchema);
      const wanted = parseResponsesRequest(body, await findWriter(catalogue, body.model));
      const tokens = await generator.countTokens(wanted, abortOnDisconnect(response));
      response.json({ object: 'response.input_tokens', input_tokens: tokens } satisfies InputTokens);
    })
    .all(onlyMethods('POST'));
  // Reading, deleting and cancelling stored responses: there are none, and the caller is told why.
  router.all('/v1/responses/*id', () => {
    throw new GenerationError('path-not-found', 'this server keeps no responses, so none can be found again');
  });
  return router;
}
