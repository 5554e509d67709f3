import type { GenerationEvent } from '../../generation/generation-event.js';
import type { GenerationRequest } from '../../generation/generation-request.js';
import type { TextGenerator } from '../../generation/text-generator.js';
import type { ServerMetrics } from './server-metrics.js';

const firstPieces: ReadonlySet<GenerationEvent['type']> = new Set([
  'reasoning-delta',
  'text-delta',
  'tool-call-start',
]);

/** The same generator, counted: so that every dialect is, and none has to think of it. */
export function meteredGenerator(generator: TextGenerator, metrics: ServerMetrics): TextGenerator {
  function generate(request: GenerationRequest, signal: AbortSignal): AsyncIterable<GenerationEvent> {
    const startedAt = performance.now();
    let begun = false;
    return watched(generator.generate(request, signal), (event) => {
      if (!begun && firstPieces.has(event.type)) {
        begun = true;
        metrics.countFirstToken(request.model, (performance.now() - startedAt) / 1000);
      }
      if (event.type === 'finish') metrics.countGeneration(request.model, event);
    });
  }
  return {
    generate,
    async embed(request, signal) {
      const result = await generator.embed(request, signal);
      metrics.countPromptTokens(request.model, result.promptTokens);
      return result;
    },
    async rerank(request, signal) {
      const result = await generator.rerank(request, signal);
      metrics.countPromptTokens(request.model, result.promptTokens);
      return result;
    },
    countTokens: (request, signal) => generator.countTokens(request, signal),
    renderPrompt: (request, signal) => generator.renderPrompt(request, signal),
    tokenize: (model, text, signal) => generator.tokenize(model, text, signal),
    detokenize: (model, tokens, signal) => generator.detokenize(model, tokens, signal),
    load: (request, signal) => generator.load(request, signal),
    unload: (model) => generator.unload(model),
    listLoaded: () => generator.listLoaded(),
  };
}

/** The same events, seen on their way. Not a generator of its own: that is one more round of waiting for every token. */
function watched(
  events: AsyncIterable<GenerationEvent>,
  see: (event: GenerationEvent) => void,
): AsyncIterableIterator<GenerationEvent> {
  const iterator = events[Symbol.asyncIterator]();
  return {
    async next() {
      const result = await iterator.next();
      if (!result.done) see(result.value);
      return result;
    },
    async return() {
      await iterator.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
