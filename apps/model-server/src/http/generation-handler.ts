import { addAccessFacts } from '@hearth/service-kit/access-log';
import type { Request, RequestHandler, Response } from 'express';
import { collectResult, type GenerationResult } from '../generation/collect-result.js';
import { GenerationError } from '../generation/generation-error.js';
import type { GenerationRequest } from '../generation/generation-request.js';
import type { TextGenerator } from '../generation/text-generator.js';
import { abortOnDisconnect } from './abort-on-disconnect.js';
import { type FrameFormat, FrameWriter } from './frame-writer.js';
import { nameOptionsLeftToServer } from './machine-options.js';
import { type ChoiceEvent, type ChoiceEvents, mergeChoices } from './merge-choices.js';
import type { StreamRenderer } from './stream-renderer.js';
import { toGenerationError } from './to-generation-error.js';

/** One parsed request of a dialect, ready to run: what to generate and how to word the reply. */
export interface Exchange {
  /** One generation per choice; nearly always one. */
  readonly requests: readonly [GenerationRequest, ...GenerationRequest[]];
  /** How to stream, or `undefined` for a reply in one piece. */
  readonly streamFormat: FrameFormat | undefined;
  renderResult(results: readonly GenerationResult[]): unknown;
  createStreamRenderer(): StreamRenderer;
}

/** A reply that needs no generation: a model was only loaded, or only the prompt was asked for. */
export interface ReadyReply {
  readonly body: unknown;
}

export interface GenerationHandlerParts {
  readonly generator: TextGenerator;
  /** How long a stream may be silent before a keep-alive goes out. */
  readonly keepAliveMs?: number;
}

/** Parses the body; throws a GenerationError that names the field at fault. */
export type ParseExchange = (
  request: Request,
  signal: AbortSignal,
) => Exchange | ReadyReply | Promise<Exchange | ReadyReply>;

/** The one handler all dialects share: parse, generate, render; streamed or in one piece. */
export function generationHandler(parts: GenerationHandlerParts, parse: ParseExchange): RequestHandler {
  return async (request, response) => {
    const signal = abortOnDisconnect(response);
    const exchange = await parse(request, signal);
    nameOptionsLeftToServer(request, response);
    if ('body' in exchange) response.json(exchange.body);
    else if (exchange.streamFormat === undefined) await reply(parts, exchange, signal, response);
    else await stream(parts, exchange, exchange.streamFormat, signal, response, request.id);
  };
}

async function reply(
  { generator }: GenerationHandlerParts,
  exchange: Exchange,
  signal: AbortSignal,
  response: Response,
): Promise<void> {
  const failure = new AbortController();
  const ended = AbortSignal.any([signal, failure.signal]);
  const results = await Promise.all(
    exchange.requests.map((request) => collectResult(generator.generate(request, ended))),
  ).catch((error: unknown) => {
    // One choice failed, so there will be no reply: nobody waits for the others.
    failure.abort(new GenerationError('cancelled', 'another choice of the same request failed'));
    throw error;
  });
  for (const result of results) addAccessFacts(response, usageFacts(exchange.requests[0].model, result));
  response.json(exchange.renderResult(results));
}

async function stream(
  { generator, keepAliveMs = 15_000 }: GenerationHandlerParts,
  exchange: Exchange,
  format: FrameFormat,
  signal: AbortSignal,
  response: Response,
  requestId: string,
): Promise<void> {
  const renderer = exchange.createStreamRenderer();
  const writer = new FrameWriter(response, format);
  const events = mergeChoices(exchange.requests.map((request) => generator.generate(request, signal)));
  const held = await untilAllStarted(events, exchange.requests);
  writer.open();
  const keepAlive = setInterval(() => void writer.keepAlive(renderer.keepAlive?.() ?? []), keepAliveMs);
  try {
    for (const { event, choice } of held) await writer.write(renderer.render(event, choice));
    for await (const { event, choice } of events) {
      keepAlive.refresh();
      if (event.type === 'finish') addAccessFacts(response, usageFacts(exchange.requests[0].model, event));
      const drained = writer.write(renderer.render(event, choice));
      if (drained) await drained;
    }
    await writer.write(renderer.end());
  } catch (error) {
    const failure = toGenerationError(error);
    addAccessFacts(response, { error_code: failure.code });
    await writer.write(renderer.fail(failure, requestId));
  } finally {
    clearInterval(keepAlive);
    await events.return?.();
    response.end();
  }
}

/**
 * Nothing is sent until every prompt has started: a refusal before that keeps its real status. Further choices of the
 * same prompt fit as the first one does, and may have to wait for it.
 */
async function untilAllStarted(
  events: ChoiceEvents,
  requests: readonly GenerationRequest[],
): Promise<ChoiceEvent[]> {
  const held: ChoiceEvent[] = [];
  const waiting = new Set(requests.map(({ prompt }) => prompt));
  while (waiting.size > 0) {
    const next = await events.next();
    if (next.done) throw new GenerationError('internal', 'the generation ended before it started');
    const { event, choice } = next.value;
    held.push(next.value);
    const prompt = requests[choice]?.prompt;
    if (event.type === 'start' && prompt) waiting.delete(prompt);
  }
  return held;
}

function usageFacts(
  model: string,
  { usage, durations }: Pick<GenerationResult, 'usage' | 'durations'>,
): Record<string, unknown> {
  return {
    model,
    prompt_tokens: usage.promptTokens,
    cached_tokens: usage.cachedTokens,
    output_tokens: usage.outputTokens,
    queue_ms: Math.round(durations.queueMs),
    prompt_ms: Math.round(durations.promptMs),
    output_ms: Math.round(durations.outputMs),
  };
}
