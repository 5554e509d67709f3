import type {
  CompletionChunk,
  CompletionLogprobs,
} from '@hearth/protocol-types/completions/completion-response';
import type { GenerationError } from '../../../generation/generation-error.js';
import type { FinishEvent, GenerationEvent, TokenLogprob } from '../../../generation/generation-event.js';
import type { TokenUsage } from '../../../generation/token-usage.js';
import type { Frame, StreamRenderer } from '../../../http/stream-renderer.js';
import { renderErrorBody } from '../render-error.js';
import { renderTimings, renderUsage } from '../render-usage.js';
import type { ReplyHead } from '../reply-head.js';
import { type TextReplyOptions, textFinishReason } from './render-completion.js';
import { renderCompletionLogprobs } from './render-completion-logprobs.js';

export interface TextStreamOptions extends TextReplyOptions {
  readonly includeUsage: boolean;
}

/** The frames of a streamed text completion: the same object again and again, each with the next piece. */
export class CompletionStreamRenderer implements StreamRenderer {
  private readonly usages: TokenUsage[] = [];
  private readonly lengths: number[] = [];

  constructor(
    private readonly head: ReplyHead,
    private readonly options: TextStreamOptions,
  ) {}

  render(event: GenerationEvent, choice: number): readonly Frame[] {
    switch (event.type) {
      case 'start': {
        const echo = this.options.echoes[Math.floor(choice / this.options.counts.made)] ?? '';
        return echo === '' ? [] : this.piece(choice, echo);
      }
      case 'reasoning-delta':
      case 'text-delta':
        return this.piece(choice, event.text, event.logprobs);
      case 'finish':
        return this.finish(choice, event);
      default:
        return [];
    }
  }

  end(): readonly Frame[] {
    const done: Frame = { data: '[DONE]' };
    if (!this.options.includeUsage) return [done];
    const usage = renderUsage(this.usages, this.options.counts.made);
    return [...this.chunk({ choices: [], usage }), done];
  }

  fail(error: GenerationError): readonly Frame[] {
    return [{ data: renderErrorBody(error) }];
  }

  private piece(choice: number, text: string, logprobs?: readonly TokenLogprob[]): readonly Frame[] {
    const offset = this.lengths[choice] ?? 0;
    this.lengths[choice] = offset + text.length;
    const shown = this.options.logprobs && logprobs ? renderCompletionLogprobs(logprobs, offset) : null;
    return this.chunk({ choices: [choiceOf(choice, text, shown, null)] });
  }

  private finish(choice: number, { reason, usage, durations }: FinishEvent): readonly Frame[] {
    this.usages[choice] = usage;
    const { counts, echoes } = this.options;
    return this.chunk({
      choices: [choiceOf(choice, '', null, textFinishReason(reason))],
      ...(counts.made * echoes.length === 1 ? { timings: renderTimings(usage, durations) } : {}),
    });
  }

  private chunk(rest: Omit<CompletionChunk, 'object' | keyof ReplyHead>): readonly Frame[] {
    const chunk: CompletionChunk = {
      ...this.head,
      object: 'text_completion',
      ...(this.options.includeUsage ? { usage: null } : {}),
      ...rest,
    };
    return [{ data: chunk }];
  }
}

function choiceOf(
  index: number,
  text: string,
  logprobs: CompletionLogprobs | null,
  finishReason: 'stop' | 'length' | null,
): CompletionChunk['choices'][number] {
  return { index, text, logprobs, finish_reason: finishReason };
}
