import type { ChatRequest } from '@hearth/protocol-types/completions/chat-request';
import { serverSentEvents } from '../../../http/frame-writer.js';
import type { Exchange } from '../../../http/generation-handler.js';
import type { ModelEntry } from '../../../models/model-entry.js';
import { newReplyHead } from '../reply-head.js';
import { seedOfChoice } from '../seed-of-choice.js';
import { ChatStreamRenderer } from './chat-stream-renderer.js';
import { parseChatRequest } from './parse-chat-request.js';
import { usesLegacyFunctions } from './parse-chat-tools.js';
import { renderChatResponse } from './render-chat-response.js';

/** One chat completion, from its body to its reply. */
export function chatExchange(body: ChatRequest, model: ModelEntry): Exchange {
  const request = parseChatRequest(body, model);
  const head = newReplyHead('chatcmpl-', body.model, model);
  const choices = body.n ?? 1;
  const options = {
    legacyFunctions: usesLegacyFunctions(body),
    logprobs: request.topLogprobs !== undefined,
    includeUsage: body.stream_options?.include_usage === true,
    returnProgress: body.return_progress === true,
    choices,
  };
  return {
    requests: [request, ...Array.from({ length: choices - 1 }, (_, more) => seedOfChoice(request, more + 1))],
    streamFormat: body.stream === true ? serverSentEvents : undefined,
    renderResult: (results) => renderChatResponse(head, results, options),
    createStreamRenderer: () => new ChatStreamRenderer(head, options),
  };
}
