import type { Message } from './message.js';
import type { Sampling } from './sampling.js';
import type { JsonSchema, Tool, ToolChoice } from './tool.js';

export type Prompt = ChatPrompt | RawPrompt | InfillPrompt;

/** Rendered with the model's own chat template. */
export interface ChatPrompt {
  readonly kind: 'chat';
  readonly messages: readonly Message[];
  /** The last message is the assistant's and is to be continued, not answered. */
  readonly continueLastMessage?: boolean;
  /** Tokens put before the rendered prompt: the runner family's deprecated `context`. */
  readonly contextTokens?: readonly number[];
}

/** A part of a prompt: in markup control tokens count, in plain text they are letters like any others. */
export interface PromptPart {
  readonly kind: 'markup' | 'plain';
  readonly text: string;
}

/** Taken as it is, no template; text, parts of it, or token ids. */
export interface RawPrompt {
  readonly kind: 'raw';
  readonly text?: string;
  readonly parts?: readonly PromptPart[];
  readonly tokens?: readonly number[];
}

/** Fill in the middle, for models that have the tokens for it. */
export interface InfillPrompt {
  readonly kind: 'infill';
  readonly prefix: string;
  readonly suffix: string;
}

export type OutputFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'json' }
  | { readonly kind: 'json-schema'; readonly schema: JsonSchema };

export type ThinkingMode = 'model-default' | 'on' | 'off';

export interface Thinking {
  readonly mode: ThinkingMode;
  readonly effort?: 'low' | 'medium' | 'high' | 'max';
  readonly budgetTokens?: number;
}

/** How long a model stays loaded after its last request. */
export type KeepAlive = { readonly seconds: number } | 'forever';

/** One request to generate text, in the server's own words. Dialects parse into it; the engine reads only this. */
export interface GenerationRequest {
  /** The name as the caller spelled it; replies echo it. */
  readonly model: string;
  readonly prompt: Prompt;
  readonly sampling: Sampling;
  /** `undefined` is "until the context is full"; 0 only fills the prefix cache. */
  readonly maxTokens: number | undefined;
  readonly stop: readonly string[];
  readonly format: OutputFormat;
  readonly tools: readonly Tool[];
  readonly toolChoice: ToolChoice;
  readonly parallelToolCalls: boolean;
  readonly thinking: Thinking;
  /** How many alternatives to report for each token; `undefined` for no log-probabilities at all. */
  readonly topLogprobs?: number;
  readonly keepAlive?: KeepAlive;
  /** The context the caller wants for this model; a model loaded with less is loaded anew. */
  readonly contextLength?: number;
  /** What to do with a conversation longer than the context. */
  readonly overflow: 'error' | 'drop-oldest-messages';
  /** Extra variables for the chat template. */
  readonly templateVariables?: Readonly<Record<string, unknown>>;
  /** Steers requests of one conversation to the sequence that holds their prefix. */
  readonly cacheKey?: string;
  /** Return the tokens of the whole exchange in the finish event (the runner family's `context`). */
  readonly wantContextTokens?: boolean;
}
