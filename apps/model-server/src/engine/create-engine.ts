import type { Logger } from '@hearth/service-kit/logger';
import type { GenerationEvent } from '../generation/generation-event.js';
import type { GenerationRequest } from '../generation/generation-request.js';
import type { ModelSource } from '../generation/model-source.js';
import type { EmbedResult, TextGenerator } from '../generation/text-generator.js';
import type { EngineSettings } from './engine-settings.js';
import { type EngineStats, EngineTotals } from './engine-stats.js';
import { finishVector } from './finish-vector.js';
import type { EngineCallKind, EngineCalls } from './ipc/engine-calls.js';
import { ModelPool } from './pool/model-pool.js';
import { RequestCounter } from './request-counter.js';
import { ThreadBudget } from './threads/thread-budget.js';
import { usableCores } from './threads/usable-cores.js';

export interface EngineOptions {
  readonly models: ModelSource;
  readonly settings: EngineSettings;
  readonly logger: Logger;
}

export interface Engine extends TextGenerator {
  /** Ends all engine processes. */
  close(): Promise<void>;
  stats(): EngineStats;
}

interface CallOptions {
  readonly model: string;
  readonly keepAlive?: GenerationRequest['keepAlive'];
  readonly contextLength?: number | undefined;
  readonly signal: AbortSignal;
}

/** The TextGenerator that runs models on this machine, each in a process of its own. */
export function createEngine({ models, settings, logger }: EngineOptions): Engine {
  const cores = usableCores();
  const threads = new ThreadBudget(Math.min(cores, settings.threads ?? cores));
  const pool = new ModelPool(settings, threads, logger);
  const requests = new RequestCounter(settings.maxQueue, settings.parallel);
  const totals = new EngineTotals();

  async function lease({ model, keepAlive, contextLength, signal }: CallOptions) {
    const file = await models.resolve(model);
    return await pool.acquire(file, { keepAlive, contextLength, signal });
  }

  async function call<Kind extends EngineCallKind>(
    kind: Kind,
    input: EngineCalls[Kind]['input'],
    options: CallOptions,
  ): Promise<{ value: EngineCalls[Kind]['output']; loadDurationMs: number }> {
    const turn = requests.enter();
    try {
      const held = await lease(options);
      turn.started();
      let outcome: 'served' | 'failed' = 'failed';
      try {
        const value = await held.process.call(kind, input, options.signal);
        outcome = 'served';
        return { value, loadDurationMs: held.loadDurationMs };
      } finally {
        held.release(outcome);
      }
    } finally {
      turn.left();
    }
  }

  async function* generate(request: GenerationRequest, signal: AbortSignal): AsyncGenerator<GenerationEvent> {
    const startedAt = performance.now();
    const { model, keepAlive, contextLength, ...task } = request;
    const turn = requests.enter();
    try {
      const held = await lease({ model, keepAlive, contextLength, signal });
      const { loadDurationMs } = held;
      let outcome: 'served' | 'failed' = 'failed';
      try {
        for await (const event of held.process.generate(task, signal)) {
          if (event.type === 'start') {
            turn.started();
            yield { ...event, loadDurationMs };
          } else if (event.type === 'finish') {
            outcome = 'served';
            totals.count(event.usage);
            const totalMs = performance.now() - startedAt;
            // The sequence is free by now; so is the model, before the reader hears of the end.
            held.release(outcome);
            turn.left();
            yield { ...event, durations: { ...event.durations, loadMs: loadDurationMs, totalMs } };
          } else {
            yield event;
          }
        }
      } finally {
        held.release(outcome);
      }
    } finally {
      turn.left();
    }
  }

  return {
    generate,

    async embed(request, signal): Promise<EmbedResult> {
      const startedAt = performance.now();
      const { inputs, overflow } = request;
      const { value, loadDurationMs } = await call('embed', { inputs, overflow }, { ...request, signal });
      return {
        vectors: value.vectors.map((vector) => finishVector(vector, request)),
        promptTokens: value.promptTokens,
        loadDurationMs,
        totalMs: performance.now() - startedAt,
      };
    },

    async rerank({ query, documents, ...request }, signal) {
      return (await call('rerank', { query, documents }, { ...request, signal })).value;
    },

    async countTokens({ model, ...request }, signal) {
      return (await call('count-tokens', request, { model, signal })).value;
    },

    async renderPrompt({ model, keepAlive, contextLength, ...request }, signal) {
      const { prompt, tools, toolChoice, thinking, templateVariables, overflow, maxTokens } = request;
      const input = { prompt, tools, toolChoice, thinking, overflow, maxTokens };
      const withVariables = templateVariables ? { ...input, templateVariables } : input;
      return (await call('render-prompt', withVariables, { model, keepAlive, contextLength, signal })).value;
    },

    async tokenize(model, text, signal) {
      return (await call('tokenize', { text }, { model, signal })).value;
    },

    async detokenize(model, tokens, signal) {
      return (await call('detokenize', { tokens }, { model, signal })).value;
    },

    async load(request, signal) {
      const held = await lease({ ...request, signal });
      held.release('failed');
      return { loadDurationMs: held.loadDurationMs };
    },

    async unload(model) {
      // A model that has just been deleted is still in memory under its full name.
      const name = await models.resolve(model).then(
        (file) => file.name,
        () => model,
      );
      return await pool.unload(name);
    },

    listLoaded: () => pool.list(),

    stats: () => totals.read(pool, requests),

    close: () => pool.close(),
  };
}
