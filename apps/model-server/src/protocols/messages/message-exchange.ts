import { type MessageRequest, messageRequestSchema } from '@hearth/protocol-types/messages/message-request';
import type { GenerationResult } from '../../generation/collect-result.js';
import { GenerationError } from '../../generation/generation-error.js';
import type { GenerationRequest, OutputFormat } from '../../generation/generation-request.js';
import type { Sampling } from '../../generation/sampling.js';
import { serverSentEvents } from '../../http/frame-writer.js';
import type { ParseExchange } from '../../http/generation-handler.js';
import { type ModelDefaults, modelDefaults, seedOrRandom } from '../../http/model-defaults.js';
import { parseBody } from '../../http/parse-body.js';
import { parseKeepAlive } from '../../http/parse-keep-alive.js';
import { stopStrings } from '../../http/stop-strings.js';
import { findModel } from './find-model.js';
import type { MessagesParts } from './messages-parts.js';
import { MessagesStream } from './messages-stream.js';
import { newMessageId } from './new-id.js';
import { parsePrompt } from './parse-prompt.js';
import { renderMessage } from './render-message.js';

/** `POST /alt/v1/messages`: the next message of a conversation. */
export function messageExchange({ catalogue }: MessagesParts): ParseExchange {
  return async (request) => {
    const body = parseBody(request, messageRequestSchema);
    const model = await findModel(catalogue, body.model);
    const defaults = modelDefaults(model);
    const maxTokens = body.max_tokens ?? defaults.maxTokens;
    checkThinkingBudget(body, maxTokens);
    const generation: GenerationRequest = {
      ...parsePrompt(body, model, defaults),
      sampling: parseSampling(body, defaults.sampling),
      maxTokens,
      stop: parseStop(body, defaults),
      format: parseFormat(body),
      overflow: 'error',
      ...(body.keep_alive == null ? {} : { keepAlive: parseKeepAlive(body.keep_alive) }),
      ...(defaults.contextLength === undefined ? {} : { contextLength: defaults.contextLength }),
    };
    const head = { id: newMessageId(), model: body.model };
    return {
      requests: [generation],
      streamFormat: body.stream === true ? serverSentEvents : undefined,
      renderResult: (results) => renderMessage(head, (results as readonly [GenerationResult])[0]),
      createStreamRenderer: () => new MessagesStream(head),
    };
  };
}

function checkThinkingBudget({ thinking }: MessageRequest, maxTokens: number | undefined): void {
  if (thinking?.type !== 'enabled' || !maxTokens || thinking.budget_tokens < maxTokens) return;
  throw new GenerationError('invalid-request', 'max_tokens must be greater than thinking.budget_tokens', {
    param: 'max_tokens',
  });
}

function parseSampling(body: MessageRequest, defaults: Sampling): Sampling {
  const { frequency_penalty } = body;
  return {
    ...defaults,
    temperature: body.temperature ?? defaults.temperature,
    topP: body.top_p ?? defaults.topP,
    topK: body.top_k ?? defaults.topK,
    seed: body.seed == null ? defaults.seed : seedOrRandom(body.seed),
    // Given at all it is additive, and 0 means none: then the repeat penalty must not work beside it.
    ...(frequency_penalty == null ? {} : { frequencyPenalty: frequency_penalty, repeatPenalty: 1 }),
  };
}

function parseStop({ stop_sequences, stop }: MessageRequest, defaults: ModelDefaults): readonly string[] {
  return stop_sequences == null && stop == null ? defaults.stop : stopStrings(stop_sequences, stop);
}

function parseFormat({ output_config }: MessageRequest): OutputFormat {
  const format = output_config?.format;
  return format ? { kind: 'json-schema', schema: format.schema } : { kind: 'text' };
}
