import type { ChatChunk } from '@hearth/protocol-types/completions/chat-chunk';
import type { GenerationError } from '../../../generation/generation-error.js';
import type {
  FinishEvent,
  GenerationEvent,
  PromptProgressEvent,
  TokenLogprob,
} from '../../../generation/generation-event.js';
import type { TokenUsage } from '../../../generation/token-usage.js';
import type { Frame, StreamRenderer } from '../../../http/stream-renderer.js';
import { renderErrorBody } from '../render-error.js';
import { renderLogprobs } from '../render-logprobs.js';
import { renderTimings, renderUsage } from '../render-usage.js';
import type { ReplyHead } from '../reply-head.js';
import type { ChatReplyOptions } from './render-chat-response.js';
import { renderFinishReason } from './render-finish-reason.js';

export interface ChatStreamOptions extends ChatReplyOptions {
  readonly includeUsage: boolean;
  readonly returnProgress: boolean;
  readonly choices: number;
}

type Delta = ChatChunk['choices'][number]['delta'];

/** The frames of a streamed chat completion. Every choice opens with its role and closes with a finish reason. */
export class ChatStreamRenderer implements StreamRenderer {
  private readonly usages: TokenUsage[] = [];
  private readonly startedAt = performance.now();
  private cachedTokens = 0;

  constructor(
    private readonly head: ReplyHead,
    private readonly options: ChatStreamOptions,
  ) {}

  render(event: GenerationEvent, choice: number): readonly Frame[] {
    switch (event.type) {
      case 'start':
        this.cachedTokens = event.cachedTokens;
        return this.delta(choice, { role: 'assistant', content: '' });
      case 'prompt-progress':
        return this.options.returnProgress ? this.progress(event) : [];
      case 'reasoning-delta':
        return this.delta(choice, { reasoning_content: event.text });
      case 'text-delta':
        return this.delta(choice, { content: event.text }, event.logprobs);
      case 'tool-call-start':
        return this.callStart(choice, event.index, event.id, event.name);
      case 'tool-call-delta':
        return this.callDelta(choice, event.index, event.argumentsText);
      case 'tool-call-end':
        return [];
      case 'finish':
        return this.finish(choice, event);
      default:
        return event satisfies never;
    }
  }

  end(): readonly Frame[] {
    const done: Frame = { data: '[DONE]' };
    if (!this.options.includeUsage) return [done];
    return [...this.chunk({ choices: [], usage: renderUsage(this.usages) }), done];
  }

  fail(error: GenerationError): readonly Frame[] {
    return [{ data: renderErrorBody(error) }];
  }

  private callStart(choice: number, index: number, id: string, name: string): readonly Frame[] {
    if (!this.options.legacyFunctions) {
      const start = { index, id, type: 'function' as const, function: { name, arguments: '' } };
      return this.delta(choice, { tool_calls: [start] });
    }
    return index === 0 ? this.delta(choice, { function_call: { name, arguments: '' } }) : [];
  }

  private callDelta(choice: number, index: number, argumentsText: string): readonly Frame[] {
    if (!this.options.legacyFunctions) {
      return this.delta(choice, { tool_calls: [{ index, function: { arguments: argumentsText } }] });
    }
    return index === 0 ? this.delta(choice, { function_call: { arguments: argumentsText } }) : [];
  }

  private finish(choice: number, { reason, usage, durations }: FinishEvent): readonly Frame[] {
    this.usages[choice] = usage;
    return this.chunk({
      choices: [
        {
          index: choice,
          delta: {},
          logprobs: null,
          finish_reason: renderFinishReason(reason, this.options.legacyFunctions),
        },
      ],
      ...(this.options.choices === 1 ? { timings: renderTimings(usage, durations) } : {}),
    });
  }

  private progress({ totalTokens, processedTokens }: PromptProgressEvent): readonly Frame[] {
    return this.chunk({
      choices: [],
      prompt_progress: {
        total: totalTokens,
        cache: this.cachedTokens,
        processed: processedTokens,
        time_ms: Math.round(performance.now() - this.startedAt),
      },
    });
  }

  private delta(choice: number, delta: Delta, logprobs?: readonly TokenLogprob[]): readonly Frame[] {
    const shown = this.options.logprobs && logprobs;
    return this.chunk({
      choices: [
        {
          index: choice,
          delta,
          logprobs: shown ? { content: renderLogprobs(shown), refusal: null } : null,
          finish_reason: null,
        },
      ],
    });
  }

  private chunk(rest: Omit<ChatChunk, 'object' | keyof ReplyHead>): readonly Frame[] {
    const chunk: ChatChunk = {
      ...this.head,
      object: 'chat.completion.chunk',
      ...(this.options.includeUsage ? { usage: null } : {}),
      ...rest,
    };
    return [{ data: chunk }];
  }
}
