import { chatRequestSchema } from '@hearth/protocol-types/runner/chat-request';
import type { DebugRenderResponse } from '@hearth/protocol-types/runner/debug-render-response';
import { generateRequestSchema } from '@hearth/protocol-types/runner/generate-request';
import type { GenerationResult } from '../../generation/collect-result.js';
import type { GenerationRequest } from '../../generation/generation-request.js';
import type { TextGenerator } from '../../generation/text-generator.js';
import type { FrameFormat } from '../../http/frame-writer.js';
import type { Exchange, ParseExchange, ReadyReply } from '../../http/generation-handler.js';
import { modelDefaults } from '../../http/model-defaults.js';
import { parseBody } from '../../http/parse-body.js';
import { withModelTurns } from '../../http/with-model-turns.js';
import { chatShape, generateShape, sayingOf } from './answer-shape.js';
import { findModel, requireCompletion } from './find-model.js';
import { generatePrompt } from './generate-prompt.js';
import { loadOrUnload } from './load-only.js';
import { parseMessages, parseTools } from './parse-messages.js';
import { parseRunFields } from './parse-run-fields.js';
import { type LineContext, renderFinal, renderLoaded } from './render-line.js';
import type { RunnerParts } from './runner-parts.js';
import { RunnerStream } from './runner-stream.js';
import { streamFormat } from './stream-format.js';

/** `POST /api/generate`: one prompt, one answer. */
export function generateExchange({ catalogue, generator, now }: RunnerParts): ParseExchange {
  return async (request, signal) => {
    const body = parseBody(request, generateRequestSchema);
    const line = { model: body.model, shape: generateShape, now };
    const model = await findModel(catalogue, body.model);
    const defaults = modelDefaults(model);
    const run = parseRunFields(body, model, defaults);
    const prompt = generatePrompt(body, model, defaults);
    if (!body.prompt && !body.suffix) {
      const { keepAlive, contextLength } = run;
      const done = await loadOrUnload(generator, { model, keepAlive, contextLength }, signal);
      return { body: renderLoaded(line, done) };
    }
    requireCompletion(model, body.model, 'generate');
    const wantContextTokens = prompt.kind === 'chat';
    const generation = { ...run, prompt, tools: [], wantContextTokens };
    if (body._debug_render_only === true) return await rendered(generation, line, generator, signal);
    return exchangeOf(generation, line, streamFormat(request, body.stream));
  };
}

/** `POST /api/chat`: the next message of a conversation. */
export function chatExchange({ catalogue, generator, now }: RunnerParts): ParseExchange {
  return async (request, signal) => {
    const body = parseBody(request, chatRequestSchema);
    const line = { model: body.model, shape: chatShape, now };
    const model = await findModel(catalogue, body.model);
    const defaults = modelDefaults(model);
    const run = parseRunFields(body, model, defaults);
    const messages = parseMessages(body.messages ?? []);
    const last = messages.at(-1);
    if (!last) {
      const { keepAlive, contextLength } = run;
      const done = await loadOrUnload(generator, { model, keepAlive, contextLength }, signal);
      return { body: renderLoaded(line, done) };
    }
    requireCompletion(model, body.model, 'chat');
    const continueLastMessage = last.role === 'assistant' && !last.toolCalls && last.content !== '';
    const generation: GenerationRequest = {
      ...run,
      prompt: {
        kind: 'chat',
        messages: withModelTurns(messages, defaults),
        ...(continueLastMessage ? { continueLastMessage } : {}),
      },
      tools: parseTools(body.tools),
    };
    if (body._debug_render_only === true) return await rendered(generation, line, generator, signal);
    return exchangeOf(generation, line, streamFormat(request, body.stream));
  };
}

/** The prompt in place of an answer to it. */
async function rendered(
  generation: GenerationRequest,
  { model, now }: LineContext,
  generator: TextGenerator,
  signal: AbortSignal,
): Promise<ReadyReply> {
  const body: DebugRenderResponse = {
    model,
    created_at: now().toISOString(),
    _debug_info: { rendered_template: await generator.renderPrompt(generation, signal) },
  };
  return { body };
}

function exchangeOf(
  generation: GenerationRequest,
  line: LineContext,
  format: FrameFormat | undefined,
): Exchange {
  return {
    requests: [generation],
    streamFormat: format,
    renderResult: (results) => {
      const [result] = results as readonly [GenerationResult];
      return renderFinal(line, sayingOf(result), result, result.logprobs);
    },
    createStreamRenderer: () => new RunnerStream(line),
  };
}
