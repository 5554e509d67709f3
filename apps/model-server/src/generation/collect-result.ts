import type { FinishReason } from './finish-reason.js';
import { GenerationError } from './generation-error.js';
import type { GenerationEvent, StartEvent, TokenLogprob } from './generation-event.js';
import type { GenerationDurations, TokenUsage } from './token-usage.js';
import type { ToolCall } from './tool.js';

export interface GenerationResult {
  readonly start: StartEvent;
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
  /** Of all tokens that were reported, thoughts included, in their order. */
  readonly logprobs: readonly TokenLogprob[];
  /** Of the text alone: these spell it. */
  readonly textLogprobs: readonly TokenLogprob[];
  readonly reason: FinishReason;
  readonly usage: TokenUsage;
  readonly durations: GenerationDurations;
  readonly contextTokens?: readonly number[];
}

/** Folds the events of one generation into one result: the only way a reply that does not stream is made. */
export async function collectResult(events: AsyncIterable<GenerationEvent>): Promise<GenerationResult> {
  let start: StartEvent | undefined;
  let text = '';
  let reasoning = '';
  const logprobs: TokenLogprob[] = [];
  const textLogprobs: TokenLogprob[] = [];
  const toolCalls: { id: string; name: string; argumentsText: string }[] = [];
  for await (const event of events) {
    switch (event.type) {
      case 'start':
        start = event;
        break;
      case 'prompt-progress':
      case 'tool-call-end':
        break;
      case 'reasoning-delta':
        reasoning += event.text;
        if (event.logprobs) logprobs.push(...event.logprobs);
        break;
      case 'text-delta':
        text += event.text;
        if (event.logprobs) {
          logprobs.push(...event.logprobs);
          textLogprobs.push(...event.logprobs);
        }
        break;
      case 'tool-call-start':
        toolCalls[event.index] = { id: event.id, name: event.name, argumentsText: '' };
        break;
      case 'tool-call-delta': {
        const call = toolCalls[event.index];
        if (call) call.argumentsText += event.argumentsText;
        break;
      }
      case 'finish':
        if (!start) throw new GenerationError('internal', 'the generation finished before it started');
        return {
          start,
          text,
          reasoning,
          toolCalls,
          logprobs,
          textLogprobs,
          reason: event.reason,
          usage: event.usage,
          durations: event.durations,
          ...(event.contextTokens ? { contextTokens: event.contextTokens } : {}),
        };
      default:
        event satisfies never;
    }
  }
  throw new GenerationError('internal', 'the generation ended without a finish event');
}
