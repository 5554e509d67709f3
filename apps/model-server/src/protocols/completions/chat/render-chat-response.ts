import type { ChatResponse } from '@hearth/protocol-types/completions/chat-response';
import type { GenerationResult } from '../../../generation/collect-result.js';
import { renderLogprobs } from '../render-logprobs.js';
import { renderTimings, renderUsage } from '../render-usage.js';
import type { ReplyHead } from '../reply-head.js';
import { renderFinishReason } from './render-finish-reason.js';

export interface ChatReplyOptions {
  readonly legacyFunctions: boolean;
  readonly logprobs: boolean;
}

type Choice = ChatResponse['choices'][number];

export function renderChatResponse(
  head: ReplyHead,
  results: readonly GenerationResult[],
  options: ChatReplyOptions,
): ChatResponse {
  const [only, ...others] = results;
  return {
    ...head,
    object: 'chat.completion',
    choices: results.map((result, index) => renderChoice(result, index, options)),
    usage: renderUsage(results.map((result) => result.usage)),
    ...(only && others.length === 0 ? { timings: renderTimings(only.usage, only.durations) } : {}),
  };
}

function renderChoice(result: GenerationResult, index: number, options: ChatReplyOptions): Choice {
  return {
    index,
    message: {
      role: 'assistant',
      // Null is how the family says that there were calls instead of a text.
      content: result.text === '' && result.toolCalls.length > 0 ? null : result.text,
      refusal: null,
      ...(result.reasoning === '' ? {} : { reasoning_content: result.reasoning }),
      ...renderCalls(result, options),
    },
    logprobs: options.logprobs ? { content: renderLogprobs(result.textLogprobs), refusal: null } : null,
    finish_reason: renderFinishReason(result.reason, options.legacyFunctions),
  };
}

function renderCalls(
  { toolCalls }: GenerationResult,
  { legacyFunctions }: ChatReplyOptions,
): Pick<Choice['message'], 'tool_calls' | 'function_call'> {
  const [first] = toolCalls;
  if (!first) return {};
  if (legacyFunctions) return { function_call: { name: first.name, arguments: first.argumentsText } };
  return {
    tool_calls: toolCalls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.argumentsText },
    })),
  };
}
