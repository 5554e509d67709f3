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
  async function* generate(request: GenerationRequest, signal: AbortSignal) {
    const startedAt = performance.now();
    let begun = false;
    for await (const event of generator.generate(request, signal)) {
      if (!begun && firstPieces.has(event.type)) {
        begun = true;
        metrics.countFirstToken(request.model, (performance.now() - startedAt) / 1000);
      }
      if (event.type === 'finish') metrics.countGeneration(request.model, event);
      yield event;
    }
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
    tokenize: (model, text, signal) => generator.tokenize(model, text, signal),
    detokenize: (model, tokens, signal) => generator.detokenize(model, tokens, signal),
    load: (request, signal) => generator.load(request, signal),
    unload: (model) => generator.unload(model),
    listLoaded: () => generator.listLoaded(),
  };
}
