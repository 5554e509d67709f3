import type { GenerationEvent } from '../../generation/generation-event.js';
import type { WireError } from './wire-error.js';

/** One way to load a model, and what that takes for all sequences together. */
export interface LoadOffer {
  /** How many requests are worked on at the same time. */
  readonly sequences: number;
  /** Of each of them. */
  readonly contextLength: number;
  /** How many of its layers are computed on the GPU. */
  readonly gpuLayers: number;
  /** Weights in main memory; mapped from the file, so the page cache holds them. */
  readonly modelBytes: number;
  /** The rest that it takes of main memory. */
  readonly contextBytes: number;
  readonly vramBytes: number;
}

/** What loading would cost, told before anything is loaded. */
export interface LoadPlan {
  readonly computesOn: 'cpu' | 'gpu';
  readonly trainContextLength: number;
  /** The best first. */
  readonly offers: readonly LoadOffer[];
  /** All of it does not fit on the GPU now; once another model has left, more of it will. */
  readonly wantsGpuRoom: boolean;
}

/** What is known of a model once it is loaded. */
export interface ModelFacts {
  readonly contextLength: number;
  readonly trainContextLength: number;
  readonly architecture: string;
  readonly chatTemplate: string | undefined;
  readonly embeddingLength: number;
  readonly vocabularySize: number;
  readonly canInfill: boolean;
  readonly sequences: number;
  readonly gpuLayers: number;
  /** In main memory. */
  readonly modelBytes: number;
  readonly contextBytes: number;
  readonly vramBytes: number;
}

export interface LoopStats {
  readonly steps: number;
  readonly batchedTokens: number;
  readonly cachedTokens: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly threads: number;
}

/** What a child says to the server. */
export type ChildMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'planned'; readonly plan: LoadPlan }
  | { readonly type: 'loaded'; readonly facts: ModelFacts }
  | { readonly type: 'load-failed'; readonly error: WireError }
  /** All events of one step in one message: a message costs more than what it carries. */
  | { readonly type: 'events'; readonly events: readonly (readonly [number, GenerationEvent])[] }
  | { readonly type: 'failed'; readonly id: number; readonly error: WireError }
  | { readonly type: 'reply'; readonly id: number; readonly value: unknown }
  | { readonly type: 'stats'; readonly stats: LoopStats }
  | { readonly type: 'log'; readonly level: 'warn' | 'error'; readonly message: string };
