import type { GenerationRequest } from '../../generation/generation-request.js';
import type { LoadOffer } from './child-message.js';
import type { EngineCallKind, EngineCalls } from './engine-calls.js';

/** A request without what only the server needs: which model, and how long it stays. */
export type GenerationTaskRequest = Omit<GenerationRequest, 'model' | 'keepAlive' | 'contextLength'>;

export interface ModelStart {
  readonly path: string;
  readonly chatTemplate?: string;
  readonly parallel: number;
  readonly gpu: 'auto' | 'off';
  /** With the GPU off: the build for the CPU was used before, and works. It is taken without another test. */
  readonly cpuBuildIsProven: boolean;
  /** The most threads this child will ever be granted; `threads` messages grant less. */
  readonly maxThreads: number;
  /** How long a reply that nobody reads may keep its place while others wait for one. */
  readonly unreadReplyMs: number;
  /** The context asked for; the plan answers what it and smaller ones would cost. */
  readonly contextLength?: number;
}

export interface CallMessage<Kind extends EngineCallKind = EngineCallKind> {
  readonly type: 'call';
  readonly id: number;
  readonly kind: Kind;
  readonly input: EngineCalls[Kind]['input'];
}

/** What the server says to a child. */
export type ParentMessage =
  | { readonly type: 'plan'; readonly model: ModelStart }
  | { readonly type: 'load'; readonly offer: LoadOffer }
  | { readonly type: 'threads'; readonly count: number }
  | { readonly type: 'generate'; readonly id: number; readonly request: GenerationTaskRequest }
  | { readonly type: 'cancel'; readonly id: number }
  /** Events that have been read: credit for more, so that a slow reader cannot fill memory. */
  | { readonly type: 'read'; readonly id: number; readonly count: number }
  | CallMessage;
