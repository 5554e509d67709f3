import { createHash } from 'node:crypto';
import type {
  MessageResponse,
  ReplyBlock,
  StartedMessage,
  StopReason,
} from '@hearth/protocol-types/messages/message-response';
import type { Usage } from '@hearth/protocol-types/messages/usage';
import type { GenerationResult } from '../../generation/collect-result.js';
import type { FinishReason } from '../../generation/finish-reason.js';
import type { StartEvent } from '../../generation/generation-event.js';
import { parseToolArguments } from '../../generation/parse-tool-arguments.js';
import type { TokenUsage } from '../../generation/token-usage.js';
import { toolUseId } from './new-id.js';

export interface MessageHead {
  readonly id: string;
  /** Echoed as the request spelled it. */
  readonly model: string;
}

export function renderMessage({ id, model }: MessageHead, result: GenerationResult): MessageResponse {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: renderBlocks(result),
    ...renderStop(result.reason),
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: renderUsage(result.usage),
  };
}

/** The message as it stands when a stream begins: nothing said yet. */
export function renderStartedMessage({ id, model }: MessageHead, start: StartEvent): StartedMessage {
  const { promptTokens, cachedTokens } = start;
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: renderUsage({ promptTokens, cachedTokens, outputTokens: 1, reasoningTokens: 0 }),
  };
}

function renderBlocks({ reasoning, text, toolCalls }: GenerationResult): ReplyBlock[] {
  return [
    ...(reasoning === ''
      ? []
      : [{ type: 'thinking', thinking: reasoning, signature: signatureOf(reasoning) } as const]),
    ...(text === '' ? [] : [{ type: 'text', text, citations: null } as const]),
    ...toolCalls.map(
      ({ id, name, argumentsText }) =>
        ({
          type: 'tool_use',
          id: toolUseId(id),
          name,
          input: parseToolArguments(argumentsText),
          caller: { type: 'direct' },
        }) as const,
    ),
  ];
}

/** Clients keep it and send it back with the thought; here it only has to be there. */
export function signatureOf(thinking: string): string {
  return createHash('sha256').update(thinking).digest('base64');
}

export function renderStop(reason: FinishReason): {
  stop_reason: StopReason;
  stop_sequence: string | null;
} {
  switch (reason.kind) {
    case 'end':
      return { stop_reason: 'end_turn', stop_sequence: null };
    case 'stop-string':
      return { stop_reason: 'stop_sequence', stop_sequence: reason.matched };
    case 'max-tokens':
      return { stop_reason: 'max_tokens', stop_sequence: null };
    case 'context-full':
      return { stop_reason: 'model_context_window_exceeded', stop_sequence: null };
    case 'tool-calls':
      return { stop_reason: 'tool_use', stop_sequence: null };
    default:
      return reason satisfies never;
  }
}

/** All input is computed plus cached: the reused prefix is told apart, as the hosted API does. */
export function renderCounts({ promptTokens, cachedTokens, outputTokens, reasoningTokens }: TokenUsage) {
  return {
    input_tokens: promptTokens - cachedTokens,
    output_tokens: outputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedTokens,
    output_tokens_details: { thinking_tokens: reasoningTokens },
  };
}

function renderUsage(usage: TokenUsage): Usage {
  return {
    ...renderCounts(usage),
    cache_creation: null,
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: null,
    speed: null,
  };
}
