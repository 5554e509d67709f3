import type { GenerationEvent } from './generation-event.js';
import type { GenerationRequest, KeepAlive } from './generation-request.js';

export interface EmbedRequest {
  readonly model: string;
  readonly inputs: readonly (string | readonly number[])[];
  readonly overflow: 'error' | 'truncate';
  /** Cut the vectors to this length and normalise again. */
  readonly dimensions?: number;
  readonly normalize: boolean;
  readonly keepAlive?: KeepAlive;
  readonly contextLength?: number;
}

export interface EmbedResult {
  readonly vectors: readonly (readonly number[])[];
  readonly promptTokens: number;
  readonly loadDurationMs: number;
  readonly totalMs: number;
}

export interface RerankRequest {
  readonly model: string;
  readonly query: string;
  readonly documents: readonly string[];
  readonly keepAlive?: KeepAlive;
}

export interface RerankResult {
  /** One score a document, in the order of the documents. */
  readonly scores: readonly number[];
  readonly promptTokens: number;
}

export interface LoadRequest {
  readonly model: string;
  readonly keepAlive?: KeepAlive;
  readonly contextLength?: number;
}

export interface LoadedModel {
  /** The full name with its tag. */
  readonly model: string;
  readonly sizeBytes: number;
  readonly sizeVramBytes: number;
  readonly contextLength: number;
  /** `undefined` means it stays until it is unloaded. */
  readonly expiresAt: Date | undefined;
  readonly busy: boolean;
}

/** The port between the dialects and whatever generates. The engine is one implementation; tests script another. */
export interface TextGenerator {
  generate(request: GenerationRequest, signal: AbortSignal): AsyncIterable<GenerationEvent>;
  embed(request: EmbedRequest, signal: AbortSignal): Promise<EmbedResult>;
  rerank(request: RerankRequest, signal: AbortSignal): Promise<RerankResult>;
  /** Tokens of the prompt as it would be evaluated, template included. */
  countTokens(
    request: Pick<
      GenerationRequest,
      'model' | 'prompt' | 'tools' | 'toolChoice' | 'thinking' | 'templateVariables'
    >,
    signal: AbortSignal,
  ): Promise<number>;
  /** The prompt as the model would read it, control tokens written out. */
  renderPrompt(request: GenerationRequest, signal: AbortSignal): Promise<string>;
  tokenize(model: string, text: string, signal: AbortSignal): Promise<readonly number[]>;
  detokenize(model: string, tokens: readonly number[], signal: AbortSignal): Promise<string>;
  load(request: LoadRequest, signal: AbortSignal): Promise<{ readonly loadDurationMs: number }>;
  /** Ends once the model is idle and its memory is given back; resolves false when it was not loaded. */
  unload(model: string): Promise<boolean>;
  listLoaded(): readonly LoadedModel[];
}
