import type { ResponsesRequest } from '@hearth/protocol-types/completions/responses-request';
import type { ResponsesTextFormat } from '@hearth/protocol-types/completions/responses-text-format';
import type { ResponsesTool, ResponsesToolChoice } from '@hearth/protocol-types/completions/responses-tool';
import type { GenerationRequest, OutputFormat } from '../../../generation/generation-request.js';
import type { Message } from '../../../generation/message.js';
import { applyOptions, modelDefaults } from '../../../http/model-defaults.js';
import { withModelTurns } from '../../../http/with-model-turns.js';
import type { ModelEntry } from '../../../models/model-entry.js';
import { parseRunFields } from '../parse-run-fields.js';
import { parseSampling } from '../parse-sampling.js';
import { parseThinking } from '../parse-thinking.js';
import { refuse, reject } from '../refuse.js';
import { selectTools, toTool, type WantedTools } from '../select-tools.js';
import { parseInput } from './parse-input.js';

/** A response in the server's own words. */
export function parseResponsesRequest(body: ResponsesRequest, model: ModelEntry): GenerationRequest {
  refuseState(body);
  if (body.return_progress === true) refuse('return_progress', 'is for chat completions only');
  const messages = parseMessages(body);
  const last = messages.at(-1);
  const own = modelDefaults(model);
  const defaults = applyOptions(own, body.options ?? {});
  const topLogprobs = wantedLogprobs(body);
  return {
    model: body.model,
    prompt: {
      kind: 'chat',
      messages: withModelTurns(messages, own),
      ...(last?.role === 'assistant' && !last.toolCalls ? { continueLastMessage: true } : {}),
    },
    sampling: parseSampling(body, defaults.sampling),
    maxTokens: body.max_output_tokens ?? defaults.maxTokens,
    stop: defaults.stop,
    format: parseTextFormat(body.text?.format),
    ...selectTools(functionTools(body.tools).map(toTool), wantedTools(body.tool_choice), 'tool_choice'),
    parallelToolCalls: body.parallel_tool_calls !== false,
    thinking: parseThinking(body.reasoning?.effort, model, 'reasoning.effort'),
    ...(topLogprobs === undefined ? {} : { topLogprobs }),
    ...parseRunFields(body, defaults),
    overflow: body.truncation === 'auto' ? 'drop-oldest-messages' : 'error',
  };
}

/**
 * The tools that can be offered. Tools that the hosted API runs itself (web search and the like) are left out, as if
 * the model had chosen not to use them; the reply lists the ones that were offered.
 */
export function functionTools(
  tools: ResponsesRequest['tools'],
): readonly Extract<ResponsesTool, { type: 'function' }>[] {
  return (tools ?? []).filter((tool) => tool.type === 'function');
}

function parseMessages(body: ResponsesRequest): readonly Message[] {
  const input = body.input ?? reject('input', 'is required');
  const messages = parseInput(input);
  if (messages.length === 0) reject('input', 'must hold at least one message');
  return body.instructions ? [{ role: 'system', content: body.instructions }, ...messages] : messages;
}

/** Nothing is kept between two requests: whoever counts on it must hear so. */
function refuseState(body: ResponsesRequest): void {
  const stateless = 'is not supported: this server keeps no responses; send the earlier items as input';
  if (body.previous_response_id != null) refuse('previous_response_id', stateless);
  if (body.conversation != null) refuse('conversation', stateless);
  if (body.prompt != null) refuse('prompt', 'is not supported: this server keeps no prompts');
  if (body.background === true) refuse('background', 'is not supported: this server keeps no responses');
  if (body.store === true) refuse('store', 'must be false or left out: this server keeps no responses');
}

function wantedTools(choice: ResponsesToolChoice | null | undefined): WantedTools {
  if (choice == null) return { kind: 'auto' };
  if (typeof choice === 'string') return { kind: choice };
  if (choice.type === 'function') return { kind: 'tool', name: choice.name };
  return { kind: 'allowed', mode: choice.mode, names: choice.tools.map(({ name }) => name) };
}

function wantedLogprobs({ include, top_logprobs: top }: ResponsesRequest): number | undefined {
  if (top != null && top > 0) return top;
  return include?.includes('message.output_text.logprobs') ? 0 : undefined;
}

function parseTextFormat(format: ResponsesTextFormat | null | undefined): OutputFormat {
  switch (format?.type) {
    case undefined:
    case 'text':
      return { kind: 'text' };
    case 'json_object':
      return { kind: 'json' };
    case 'json_schema':
      return { kind: 'json-schema', schema: format.schema };
    default:
      return format satisfies never;
  }
}
