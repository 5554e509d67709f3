import type { ChatRequest } from '@hearth/protocol-types/runner/chat-request';
import type { GenerateRequest } from '@hearth/protocol-types/runner/generate-request';
import { GenerationError } from '../../generation/generation-error.js';
import type { GenerationRequest, OutputFormat, Thinking } from '../../generation/generation-request.js';
import { applyOptions, type ModelDefaults } from '../../http/model-defaults.js';
import { parseKeepAlive } from '../../http/parse-keep-alive.js';
import type { ModelEntry } from '../../models/model-entry.js';

type RunnerRequest = GenerateRequest | ChatRequest;

/** Everything of a request but its prompt and tools: generate and chat have it in common. */
export type RunFields = Omit<GenerationRequest, 'prompt' | 'tools'>;

export function parseRunFields(body: RunnerRequest, model: ModelEntry, defaults: ModelDefaults): RunFields {
  refuseWhatCannotBeHonoured(body);
  const { contextLength, ...run } = applyOptions(defaults, body.options ?? {});
  return {
    model: body.model,
    ...run,
    format: parseFormat(body.format),
    toolChoice: { kind: 'auto' },
    parallelToolCalls: true,
    thinking: parseThinking(body, model),
    // Only on request: a prompt that is cut without a word gives answers that nobody can explain.
    overflow: body.truncate === true ? 'drop-oldest-messages' : 'error',
    ...(body.logprobs === true ? { topLogprobs: body.top_logprobs ?? 0 } : {}),
    ...(body.keep_alive == null ? {} : { keepAlive: parseKeepAlive(body.keep_alive) }),
    ...(contextLength === undefined ? {} : { contextLength }),
  };
}

function refuseWhatCannotBeHonoured({ options, shift }: RunnerRequest): void {
  if (options?.typical_p != null && options.typical_p !== 1) {
    throw unsupported('options.typical_p', 'typical sampling is not supported; leave it out or send 1');
  }
  if (options?.repeat_penalty != null && options.repeat_penalty <= 0) {
    throw new GenerationError('invalid-request', 'options.repeat_penalty must be greater than 0', {
      param: 'options.repeat_penalty',
    });
  }
  if (shift === true) {
    throw unsupported('shift', 'an answer ends when the context is full; nothing is shifted out of it');
  }
}

function unsupported(param: string, reason: string): GenerationError {
  return new GenerationError('unsupported', `${param}: ${reason}`, { param });
}

function parseFormat(format: RunnerRequest['format']): OutputFormat {
  if (format == null || format === '') return { kind: 'text' };
  return format === 'json' ? { kind: 'json' } : { kind: 'json-schema', schema: format };
}

function parseThinking({ think, model: name }: RunnerRequest, model: ModelEntry): Thinking {
  if (think == null) return { mode: 'model-default' };
  if (think === false) return { mode: 'off' };
  if (!model.capabilities.includes('thinking')) {
    throw new GenerationError('unsupported', `"${name}" does not support thinking`, { param: 'think' });
  }
  return think === true ? { mode: 'on' } : { mode: 'on', effort: think };
}
