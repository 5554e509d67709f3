import type { TokenUsage } from '../generation/token-usage.js';
import type { ModelPool } from './pool/model-pool.js';
import type { RequestCounter } from './request-counter.js';

/** Figures for /metrics. Counters only grow. */
export interface EngineStats {
  readonly waitingRequests: number;
  readonly runningRequests: number;
  readonly loadedModels: number;
  /** How often an engine process died and had to be started again. */
  readonly engineCrashes: number;
  readonly finishedRequests: number;
  readonly promptTokens: number;
  /** Prompt tokens that a warm sequence already held. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly engines: readonly EngineProcessStats[];
}

export interface EngineProcessStats {
  readonly model: string;
  readonly pid: number;
  /** Threads it computes with at present. */
  readonly threads: number;
  /** Steps of the loop, and the tokens that went through them: their ratio says how well it batches. */
  readonly steps: number;
  readonly batchedTokens: number;
}

/** Adds up what finished requests used. */
export class EngineTotals {
  #finishedRequests = 0;
  #promptTokens = 0;
  #cachedTokens = 0;
  #outputTokens = 0;

  count(usage: TokenUsage): void {
    this.#finishedRequests += 1;
    this.#promptTokens += usage.promptTokens;
    this.#cachedTokens += usage.cachedTokens;
    this.#outputTokens += usage.outputTokens;
  }

  read(pool: ModelPool, requests: RequestCounter): EngineStats {
    return {
      waitingRequests: requests.waiting,
      runningRequests: requests.running,
      loadedModels: pool.processes.length,
      engineCrashes: pool.restarts,
      finishedRequests: this.#finishedRequests,
      promptTokens: this.#promptTokens,
      cachedTokens: this.#cachedTokens,
      outputTokens: this.#outputTokens,
      engines: pool.processes.map(({ name, pid, stats }) => ({
        model: name,
        pid: pid ?? 0,
        threads: stats?.threads ?? 0,
        steps: stats?.steps ?? 0,
        batchedTokens: stats?.batchedTokens ?? 0,
      })),
    };
  }
}
