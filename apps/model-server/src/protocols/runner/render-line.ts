import type { FinishReason } from '../../generation/finish-reason.js';
import type { FinishEvent, TokenLogprob } from '../../generation/generation-event.js';
import type { AnswerShape, Saying } from './answer-shape.js';

export interface LineContext {
  /** Echoed as the request spelled it. */
  readonly model: string;
  readonly shape: AnswerShape;
  readonly now: () => Date;
}

/** One line of a streamed answer. */
export function renderChunk(
  { model, shape, now }: LineContext,
  saying: Saying,
  logprobs?: readonly TokenLogprob[],
) {
  return {
    model,
    created_at: now().toISOString(),
    ...shape(saying),
    done: false,
    ...renderLogprobs(logprobs),
  };
}

/** The last line, or the whole answer where it does not stream. */
export function renderFinal(
  { model, shape, now }: LineContext,
  saying: Saying,
  finish: Pick<FinishEvent, 'reason' | 'usage' | 'durations' | 'contextTokens'>,
  logprobs?: readonly TokenLogprob[],
) {
  const { usage, durations } = finish;
  return {
    model,
    created_at: now().toISOString(),
    ...shape(saying),
    done: true,
    done_reason: doneReason(finish.reason),
    ...(finish.contextTokens ? { context: finish.contextTokens } : {}),
    total_duration: nanoseconds(durations.totalMs),
    load_duration: nanoseconds(durations.loadMs),
    ...(usage.promptTokens > 0 ? { prompt_eval_count: usage.promptTokens } : {}),
    prompt_eval_duration: nanoseconds(durations.promptMs),
    ...(usage.outputTokens > 0 ? { eval_count: usage.outputTokens } : {}),
    eval_duration: nanoseconds(durations.outputMs),
    ...renderLogprobs(logprobs),
  };
}

/** The only line of a request that was about the model itself. */
export function renderLoaded({ model, shape, now }: LineContext, reason: 'load' | 'unload') {
  return { model, created_at: now().toISOString(), ...shape({}), done: true, done_reason: reason };
}

export function renderLogprobs(logprobs: readonly TokenLogprob[] | undefined) {
  if (!logprobs || logprobs.length === 0) return {};
  return {
    logprobs: logprobs.map(({ top, ...token }) => ({
      ...token,
      ...(top.length > 0 ? { top_logprobs: top } : {}),
    })),
  };
}

function doneReason(reason: FinishReason): 'stop' | 'length' {
  return reason.kind === 'max-tokens' || reason.kind === 'context-full' ? 'length' : 'stop';
}

/** Whole, and never 0: clients take a missing or zero duration for a broken reply. */
export function nanoseconds(milliseconds: number): number {
  return Math.max(1, Math.round(milliseconds * 1e6));
}
