import type { ResponsesRequest } from '@hearth/protocol-types/completions/responses-request';
import { serverSentEvents } from '../../../http/frame-writer.js';
import type { Exchange } from '../../../http/generation-handler.js';
import type { ModelEntry } from '../../../models/model-entry.js';
import { parseResponsesRequest } from './parse-responses-request.js';
import { finishResponse, newResponse, renderOutput } from './render-response.js';
import { ResponsesStreamRenderer } from './responses-stream-renderer.js';

/** One response, from its body to its reply. */
export function responsesExchange(body: ResponsesRequest, model: ModelEntry): Exchange {
  const request = parseResponsesRequest(body, model);
  const response = newResponse(body, request);
  return {
    requests: [request],
    streamFormat: body.stream === true ? serverSentEvents : undefined,
    renderResult: (results) => {
      const [result] = results;
      return result && finishResponse(response, result.reason, result.usage, renderOutput(result));
    },
    createStreamRenderer: () => new ResponsesStreamRenderer(response),
  };
}
