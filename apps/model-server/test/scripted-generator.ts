import { GenerationError } from '../src/generation/generation-error.js';
import type { GenerationEvent } from '../src/generation/generation-event.js';
import type { GenerationRequest } from '../src/generation/generation-request.js';
import type { TextGenerator } from '../src/generation/text-generator.js';

/** One step of a script: an event, an error to throw, or a promise to wait for. */
export type ScriptStep = GenerationEvent | GenerationError | Promise<unknown>;

export interface ScriptedGenerator extends TextGenerator {
  /** Every request that reached the port, in order. */
  readonly requests: GenerationRequest[];
  /** The signals that came with them. */
  readonly signals: AbortSignal[];
}

/** A generator that says exactly what a test wrote down, for proving frames without a model. */
export function scriptedGenerator(
  script: readonly ScriptStep[] | ((request: GenerationRequest) => readonly ScriptStep[]),
  overrides: Partial<TextGenerator> = {},
): ScriptedGenerator {
  const requests: GenerationRequest[] = [];
  const signals: AbortSignal[] = [];
  const notScripted = (): never => {
    throw new GenerationError('internal', 'this call is not scripted');
  };
  return {
    requests,
    signals,
    async *generate(request, signal) {
      requests.push(request);
      signals.push(signal);
      for (const step of typeof script === 'function' ? script(request) : script) {
        if (step instanceof GenerationError) throw step;
        if (step instanceof Promise) await Promise.race([step, whenAborted(signal)]);
        else yield step;
      }
    },
    embed: async () => notScripted(),
    rerank: async () => notScripted(),
    countTokens: async () => notScripted(),
    renderPrompt: async () => notScripted(),
    tokenize: async () => notScripted(),
    detokenize: async () => notScripted(),
    load: async () => ({ loadDurationMs: 1 }),
    unload: async () => true,
    listLoaded: () => [],
    ...overrides,
  };
}

/** A real generator ends when its signal fires; a script that waits must do so too. */
function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

export const startEvent: GenerationEvent = {
  type: 'start',
  promptTokens: 7,
  cachedTokens: 3,
  loadDurationMs: 12,
  queueDurationMs: 1,
};

export const finishEvent: GenerationEvent = {
  type: 'finish',
  reason: { kind: 'end' },
  usage: { promptTokens: 7, cachedTokens: 3, outputTokens: 2, reasoningTokens: 0 },
  durations: { totalMs: 40, queueMs: 1, loadMs: 12, promptMs: 5, outputMs: 20 },
};

export const textEvents = (...texts: readonly string[]): GenerationEvent[] =>
  texts.map((text) => ({ type: 'text-delta', text }));
