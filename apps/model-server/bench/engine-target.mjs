import { createEngine } from '../dist/engine/create-engine.js';
import { defaultEngineSettings } from '../dist/engine/engine-settings.js';
import { defaultSampling } from '../dist/generation/sampling.js';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** The engine without HTTP: what the three families are measured against. */
export function engineTarget({ path, parallel, contextLength, threads }) {
  const engine = createEngine({
    models: { resolve: async (name) => ({ name, path, sizeBytes: 0 }) },
    settings: { ...defaultEngineSettings, parallel, contextLength, ...(threads ? { threads } : {}) },
    logger: quiet,
  });
  return {
    name: 'engine',
    async generate({ prompt, maxTokens, modelSuffix = '' }) {
      const startedAt = performance.now();
      const request = {
        model: `bench${modelSuffix}`,
        prompt: { kind: 'chat', messages: [{ role: 'user', content: prompt }] },
        sampling: { ...defaultSampling, temperature: 0 },
        maxTokens,
        stop: [],
        format: { kind: 'text' },
        tools: [],
        toolChoice: { kind: 'auto' },
        parallelToolCalls: true,
        thinking: { mode: 'model-default' },
        overflow: 'error',
      };
      let firstMs;
      let tokens = 0;
      for await (const event of engine.generate(request, new AbortController().signal)) {
        if (event.type === 'text-delta') firstMs ??= performance.now() - startedAt;
        if (event.type === 'finish') tokens = event.usage.outputTokens;
      }
      return {
        firstMs: firstMs ?? performance.now() - startedAt,
        totalMs: performance.now() - startedAt,
        tokens,
      };
    },
    close: () => engine.close(),
  };
}
