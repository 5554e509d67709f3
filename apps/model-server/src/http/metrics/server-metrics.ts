import type { Request, Response } from 'express';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { FinishEvent } from '../../generation/generation-event.js';
import { displayModelName, tryParseModelName } from '../../models/model-name.js';

/** Figures that only the engine knows; read when they are asked for. */
export interface EngineFigures {
  readonly waitingRequests: number;
  readonly runningRequests: number;
  readonly loadedModels: number;
  readonly engineCrashes: number;
}

/** What the server counts, in the form that Prometheus reads. Labels are bounded: routes, statuses, real models. */
export class ServerMetrics {
  readonly registry = new Registry();
  readonly #requests = new Counter({
    name: 'hearth_http_requests_total',
    help: 'Requests answered.',
    labelNames: ['method', 'route', 'status'],
    registers: [this.registry],
  });
  readonly #requestSeconds = new Histogram({
    name: 'hearth_http_request_duration_seconds',
    help: 'From the head of a request to the end of its reply.',
    labelNames: ['route'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers: [this.registry],
  });
  readonly #promptTokens = this.#tokenCounter('prompt', 'Prompt tokens, those from the cache included.');
  readonly #cachedTokens = this.#tokenCounter('cached_prompt', 'Prompt tokens that a warm sequence held.');
  readonly #outputTokens = this.#tokenCounter('output', 'Generated tokens, thoughts included.');
  readonly #firstTokenSeconds = new Histogram({
    name: 'hearth_time_to_first_token_seconds',
    help: 'From the start of a generation, waiting and loading included, to its first piece.',
    labelNames: ['model'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [this.registry],
  });
  readonly #tokensPerSecond = new Histogram({
    name: 'hearth_output_tokens_per_second',
    help: 'Speed of one generation once its prompt was read.',
    labelNames: ['model'],
    buckets: [1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640, 1280],
    registers: [this.registry],
  });

  constructor(engineFigures?: () => EngineFigures) {
    if (!engineFigures) return;
    const { registry } = this;
    const gauge = (name: string, help: string, read: (figures: EngineFigures) => number) =>
      new Gauge({
        name: `hearth_${name}`,
        help,
        registers: [registry],
        collect() {
          this.set(read(engineFigures()));
        },
      });
    gauge('queue_depth', 'Requests that wait for their turn.', (figures) => figures.waitingRequests);
    gauge('running_requests', 'Requests that are being worked on.', (figures) => figures.runningRequests);
    gauge('loaded_models', 'Models in memory.', (figures) => figures.loadedModels);
    let counted = 0;
    new Counter({
      name: 'hearth_engine_restarts_total',
      help: 'Engine processes that died and had to be started again.',
      registers: [registry],
      collect() {
        const { engineCrashes } = engineFigures();
        this.inc(engineCrashes - counted);
        counted = engineCrashes;
      },
    });
  }

  /** `route` is the pattern that matched, not the path: a path can be anything. */
  countRequest(request: Request, response: Response, seconds: number): void {
    const matched = (request.route as { path?: string | readonly string[] } | undefined)?.path;
    const route = [matched ?? 'none'].flat()[0] ?? 'none';
    this.#requests.inc({ method: knownMethod(request.method), route, status: response.statusCode });
    this.#requestSeconds.observe({ route }, seconds);
  }

  countFirstToken(model: string, seconds: number): void {
    this.#firstTokenSeconds.observe({ model: modelLabel(model) }, seconds);
  }

  countGeneration(name: string, { usage, durations }: FinishEvent): void {
    const model = modelLabel(name);
    this.#promptTokens.inc({ model }, usage.promptTokens);
    this.#cachedTokens.inc({ model }, usage.cachedTokens);
    this.#outputTokens.inc({ model }, usage.outputTokens);
    if (usage.outputTokens > 0 && durations.outputMs > 0) {
      this.#tokensPerSecond.observe({ model }, usage.outputTokens / (durations.outputMs / 1000));
    }
  }

  countPromptTokens(model: string, tokens: number): void {
    this.#promptTokens.inc({ model: modelLabel(model) }, tokens);
  }

  #tokenCounter(kind: string, help: string): Counter<'model'> {
    return new Counter({
      name: `hearth_${kind}_tokens_total`,
      help,
      labelNames: ['model'],
      registers: [this.registry],
    });
  }
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']);

function knownMethod(method: string): string {
  return methods.has(method) ? method : 'other';
}

/** One spelling a model, however the callers spell it. */
function modelLabel(name: string): string {
  const parsed = tryParseModelName(name);
  return parsed ? displayModelName(parsed).toLowerCase() : 'other';
}
