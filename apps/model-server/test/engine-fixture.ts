import path from 'node:path';
import { jest } from '@jest/globals';
import { pino } from 'pino';
import { createEngine, type Engine } from '../src/engine/create-engine.js';
import { defaultEngineSettings, type EngineSettings } from '../src/engine/engine-settings.js';
import { collectResult, type GenerationResult } from '../src/generation/collect-result.js';
import { GenerationError } from '../src/generation/generation-error.js';
import type { GenerationEvent } from '../src/generation/generation-event.js';
import type { GenerationRequest } from '../src/generation/generation-request.js';
import type { ModelSource } from '../src/generation/model-source.js';
import { defaultSampling } from '../src/generation/sampling.js';

// A process that loads a model takes its time on a busy machine.
jest.setTimeout(90_000);

export const emberPath = path.resolve(import.meta.dirname, '../../../models/ember/ember.gguf');

/** Any name is the bundled model, unless a test says which file it is. */
export function fileSource(files: Readonly<Record<string, string>> = {}): ModelSource {
  return {
    resolve: async (name) => ({ name, path: files[name] ?? emberPath, sizeBytes: 15_465_728 }),
  };
}

export interface EngineFixtureOptions {
  readonly settings?: Partial<EngineSettings>;
  readonly files?: Readonly<Record<string, string>>;
}

/** An engine with real processes, on one thread of the CPU. Whoever opens it closes it. */
export function openEngine({ settings = {}, files }: EngineFixtureOptions = {}): Engine {
  return createEngine({
    models: fileSource(files),
    settings: { ...defaultEngineSettings, threads: 1, contextLength: 1024, gpu: 'off', ...settings },
    logger: pino({ level: 'silent' }),
  });
}

const base: Omit<GenerationRequest, 'prompt'> = {
  model: 'ember:latest',
  sampling: { ...defaultSampling, temperature: 0 },
  maxTokens: 64,
  stop: [],
  format: { kind: 'text' },
  tools: [],
  toolChoice: { kind: 'auto' },
  parallelToolCalls: true,
  thinking: { mode: 'model-default' },
  overflow: 'error',
};

export function chat(content: string, changes: Partial<GenerationRequest> = {}): GenerationRequest {
  return { ...base, prompt: { kind: 'chat', messages: [{ role: 'user', content }] }, ...changes };
}

export function raw(text: string, changes: Partial<GenerationRequest> = {}): GenerationRequest {
  return { ...base, prompt: { kind: 'raw', text }, ...changes };
}

/** A text without an end: a story goes on until it is stopped. */
export function endless(changes: Partial<GenerationRequest> = {}): GenerationRequest {
  return raw('Once upon a time', {
    maxTokens: 900,
    sampling: { ...defaultSampling, temperature: 0, logitBias: { 0: -100, 1: -100, 2: -90 } },
    ...changes,
  });
}

export type { Engine };

export const never: AbortSignal = new AbortController().signal;

export function run(
  engine: Engine,
  request: GenerationRequest,
  signal: AbortSignal = never,
): Promise<GenerationResult> {
  return collectResult(engine.generate(request, signal));
}

/** Starts a generation and resolves once it has said something. */
export async function startReading(engine: Engine, request: GenerationRequest, signal: AbortSignal = never) {
  const iterator = engine.generate(request, signal)[Symbol.asyncIterator]();
  const seen: GenerationEvent[] = [];
  for (;;) {
    const { value, done } = await iterator.next();
    if (done) throw new Error('the generation ended before it said anything');
    seen.push(value);
    if (value.type === 'text-delta') return { iterator, seen };
  }
}

/** Reads to the end; the error that ended it, if one did. */
export async function readToEnd(iterator: AsyncIterator<GenerationEvent>): Promise<GenerationEvent[]> {
  const events: GenerationEvent[] = [];
  for (;;) {
    const { value, done } = await iterator.next();
    if (done) return events;
    events.push(value);
  }
}

export async function errorOf(work: Promise<unknown>): Promise<GenerationError> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof GenerationError) return outcome;
  throw new Error(`expected a GenerationError, got ${String(outcome)}`);
}
