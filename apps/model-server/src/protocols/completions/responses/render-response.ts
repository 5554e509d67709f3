import type { OutputItem } from '@hearth/protocol-types/completions/responses-output-item';
import type { ResponsesRequest } from '@hearth/protocol-types/completions/responses-request';
import type { ResponsesResponse } from '@hearth/protocol-types/completions/responses-response';
import type { ResponsesUsage } from '@hearth/protocol-types/completions/responses-usage';
import type { GenerationResult } from '../../../generation/collect-result.js';
import type { FinishReason } from '../../../generation/finish-reason.js';
import type { GenerationRequest } from '../../../generation/generation-request.js';
import type { TokenUsage } from '../../../generation/token-usage.js';
import { newId } from '../new-id.js';
import { callItem, messageItem, reasoningItem, textPart } from './output-items.js';
import { functionTools } from './parse-responses-request.js';

/** A response before its first token: what was asked for, every key there. */
export function newResponse(body: ResponsesRequest, request: GenerationRequest): ResponsesResponse {
  return {
    id: newId('resp_'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    completed_at: null,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    model: body.model,
    output: [],
    parallel_tool_calls: request.parallelToolCalls,
    temperature: request.sampling.temperature,
    top_p: request.sampling.topP,
    top_logprobs: request.topLogprobs ?? 0,
    tool_choice: body.tool_choice ?? 'auto',
    tools: functionTools(body.tools).map((tool) => ({
      type: 'function',
      name: tool.name,
      description: tool.description ?? null,
      parameters: tool.parameters ?? null,
      strict: tool.strict ?? null,
    })),
    text: { format: body.text?.format ?? { type: 'text' } },
    truncation: body.truncation ?? 'disabled',
    reasoning: { effort: body.reasoning?.effort ?? null, summary: body.reasoning?.summary ?? null },
    usage: null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    previous_response_id: null,
    store: false,
    background: false,
    service_tier: 'default',
    metadata: body.metadata ?? {},
    user: body.user ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    safety_identifier: body.safety_identifier ?? null,
  };
}

/** The same response once the last token has come. */
export function finishResponse(
  response: ResponsesResponse,
  reason: FinishReason,
  usage: TokenUsage,
  output: readonly OutputItem[],
): ResponsesResponse {
  const cut = wasCut(reason);
  return {
    ...response,
    status: cut ? 'incomplete' : 'completed',
    incomplete_details: cut ? { reason: 'max_output_tokens' } : null,
    completed_at: cut ? null : Math.floor(Date.now() / 1000),
    output: [...output],
    usage: renderResponsesUsage(usage),
  };
}

/** The items of a reply in one piece, in the order in which a stream would send them. */
export function renderOutput(result: GenerationResult): readonly OutputItem[] {
  const { reasoning, text, toolCalls, textLogprobs } = result;
  const items: ((status: 'completed' | 'incomplete') => OutputItem)[] = [];
  if (reasoning !== '') items.push((status) => reasoningItem(newId('rs_'), status, reasoning));
  if (text !== '') items.push((status) => messageItem(newId('msg_'), status, textPart(text, textLogprobs)));
  for (const call of toolCalls) items.push((status) => callItem(newId('fc_'), status, call));
  const cut = wasCut(result.reason);
  return items.map((item, index) => item(cut && index === items.length - 1 ? 'incomplete' : 'completed'));
}

export function wasCut({ kind }: FinishReason): boolean {
  return kind === 'max-tokens' || kind === 'context-full';
}

function renderResponsesUsage(usage: TokenUsage): ResponsesUsage {
  return {
    input_tokens: usage.promptTokens,
    input_tokens_details: { cached_tokens: usage.cachedTokens, cache_write_tokens: 0 },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.promptTokens + usage.outputTokens,
  };
}
