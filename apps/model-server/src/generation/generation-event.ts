import type { FinishReason } from './finish-reason.js';
import type { GenerationDurations, TokenUsage } from './token-usage.js';

export interface TokenAlternative {
  readonly token: string;
  readonly bytes: readonly number[];
  readonly logprob: number;
}

export interface TokenLogprob extends TokenAlternative {
  readonly top: readonly TokenAlternative[];
}

/**
 * What the engine says while it works, in this order: `start`, any `prompt-progress`, then deltas, then `finish`.
 * A failure is thrown, before `start` (the reply keeps its real status) or after it (the dialect's in-stream error).
 */
export type GenerationEvent =
  | StartEvent
  | PromptProgressEvent
  | ReasoningDeltaEvent
  | TextDeltaEvent
  | ToolCallStartEvent
  | ToolCallDeltaEvent
  | ToolCallEndEvent
  | FinishEvent;

/** The model is loaded, the request fits, a sequence is held: from here on the request is being worked on. */
export interface StartEvent {
  readonly type: 'start';
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly loadDurationMs: number;
  readonly queueDurationMs: number;
}

export interface PromptProgressEvent {
  readonly type: 'prompt-progress';
  readonly processedTokens: number;
  readonly totalTokens: number;
}

export interface ReasoningDeltaEvent {
  readonly type: 'reasoning-delta';
  readonly text: string;
  readonly logprobs?: readonly TokenLogprob[];
}

export interface TextDeltaEvent {
  readonly type: 'text-delta';
  readonly text: string;
  readonly logprobs?: readonly TokenLogprob[];
}

/** Calls come one after the other: an index is ended before the next one starts. */
export interface ToolCallStartEvent {
  readonly type: 'tool-call-start';
  readonly index: number;
  readonly id: string;
  readonly name: string;
}

export interface ToolCallDeltaEvent {
  readonly type: 'tool-call-delta';
  readonly index: number;
  readonly argumentsText: string;
}

export interface ToolCallEndEvent {
  readonly type: 'tool-call-end';
  readonly index: number;
}

export interface FinishEvent {
  readonly type: 'finish';
  readonly reason: FinishReason;
  readonly usage: TokenUsage;
  readonly durations: GenerationDurations;
  readonly contextTokens?: readonly number[];
}
