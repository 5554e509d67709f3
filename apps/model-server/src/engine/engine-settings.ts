import type { KeepAlive } from '../generation/generation-request.js';

/** How the engine runs its models. The command line and the environment fill these in. */
export interface EngineSettings {
  /** Requests that one model works on at the same time. */
  readonly parallel: number;
  /** Tokens of context for each of them; chosen from the model and the free memory when left out. */
  readonly contextLength?: number;
  /** An upper bound; the cores this process may use when left out. */
  readonly threads?: number;
  /** Requests that may wait for their turn, over all models. */
  readonly maxQueue: number;
  readonly maxLoadedModels: number;
  /** For requests that do not say how long their model shall stay. */
  readonly keepAlive: KeepAlive;
  readonly gpu: 'auto' | 'off';
  /** An upper bound for what all models together may hold; what the machine or container has when left out. */
  readonly memoryLimitBytes?: number;
  /** How long a reply that nobody reads may keep its place while others wait for one. */
  readonly unreadReplyMs: number;
  /** The built child program; tests that run from source point it at the build. */
  readonly childEntry?: string;
}

export const defaultEngineSettings: EngineSettings = {
  parallel: 4,
  maxQueue: 512,
  maxLoadedModels: 3,
  keepAlive: { seconds: 300 },
  gpu: 'auto',
  unreadReplyMs: 60_000,
};
