import type { ChatRequest } from '@hearth/protocol-types/completions/chat-request';
import type { ResponseFormat } from '@hearth/protocol-types/completions/response-format';
import type { GenerationRequest, OutputFormat } from '../../../generation/generation-request.js';
import { applyOptions, modelDefaults } from '../../../http/model-defaults.js';
import { stopStrings } from '../../../http/stop-strings.js';
import { withModelTurns } from '../../../http/with-model-turns.js';
import type { ModelEntry } from '../../../models/model-entry.js';
import { parseMaxTokens } from '../parse-limits.js';
import { parseRunFields } from '../parse-run-fields.js';
import { parseSampling } from '../parse-sampling.js';
import { parseThinking } from '../parse-thinking.js';
import { refuse, reject } from '../refuse.js';
import { parseChatMessages } from './parse-chat-messages.js';
import { parseChatTools, usesLegacyFunctions } from './parse-chat-tools.js';

/** A chat completion in the server's own words. */
export function parseChatRequest(body: ChatRequest, model: ModelEntry): GenerationRequest {
  refuseWhatNeedsMoreThanText(body);
  const own = modelDefaults(model);
  const defaults = applyOptions(own, body.options ?? {});
  const messages = parseChatMessages(body.messages);
  const last = messages.at(-1);
  const topLogprobs = wantedLogprobs(body);
  return {
    model: body.model,
    prompt: {
      kind: 'chat',
      messages: withModelTurns(messages, own),
      // A half-written answer at the end is there to be carried on, as other local servers do.
      ...(last?.role === 'assistant' && !last.toolCalls ? { continueLastMessage: true } : {}),
    },
    sampling: parseSampling(body, defaults.sampling),
    maxTokens: parseMaxTokens(body, defaults.maxTokens),
    stop: stopStrings(body.stop ?? defaults.stop),
    format: parseResponseFormat(body.response_format),
    ...parseChatTools(body),
    // The older form has room for one call only.
    parallelToolCalls: !usesLegacyFunctions(body) && body.parallel_tool_calls !== false,
    thinking:
      body.reasoning_effort == null
        ? parseThinking(body.reasoning?.effort, model, 'reasoning.effort')
        : parseThinking(body.reasoning_effort, model, 'reasoning_effort'),
    ...(topLogprobs === undefined ? {} : { topLogprobs }),
    ...parseRunFields(body, defaults),
    overflow: 'error',
    ...(body.chat_template_kwargs ? { templateVariables: body.chat_template_kwargs } : {}),
  };
}

export function parseResponseFormat(format: ResponseFormat | null | undefined): OutputFormat {
  switch (format?.type) {
    case undefined:
    case 'text':
      return { kind: 'text' };
    case 'json_object':
      return format.schema ? { kind: 'json-schema', schema: format.schema } : { kind: 'json' };
    case 'json_schema': {
      const { schema } = format.json_schema;
      return schema ? { kind: 'json-schema', schema } : { kind: 'json' };
    }
    default:
      return format satisfies never;
  }
}

function wantedLogprobs({ logprobs, top_logprobs: top }: ChatRequest): number | undefined {
  if (logprobs === true) return top ?? 0;
  if (top != null && top > 0) reject('top_logprobs', 'needs logprobs to be true');
  return undefined;
}

function refuseWhatNeedsMoreThanText(body: ChatRequest): void {
  const other = body.modalities?.find((modality) => modality !== 'text');
  if (other !== undefined) refuse('modalities', `holds '${other}', but this server writes text only`);
  if (body.web_search_options != null)
    refuse('web_search_options', 'is not supported: this server has no search');
}
