import type { CompletionRequest } from '@hearth/protocol-types/completions/completion-request';
import type { GenerationRequest } from '../../../generation/generation-request.js';
import { applyOptions, type ModelDefaults } from '../../../http/model-defaults.js';
import { stopStrings } from '../../../http/stop-strings.js';
import { parseMaxTokens } from '../parse-limits.js';
import { parseRunFields } from '../parse-run-fields.js';
import { parseSampling } from '../parse-sampling.js';
import { refuse, reject } from '../refuse.js';
import type { TextPrompt } from './parse-prompts.js';

/** More than this in one request would only stand in the queue. */
const mostTexts = 128;

/** How many texts are made of each prompt, and how many of them are shown. */
export interface TextCounts {
  readonly shown: number;
  readonly made: number;
}

export function parseCounts(body: CompletionRequest, prompts: number): TextCounts {
  const shown = body.n ?? 1;
  const made = body.best_of ?? shown;
  if (made < shown) reject('best_of', 'must not be less than n');
  if (made > shown && body.stream === true) reject('best_of', 'greater than n cannot be streamed');
  if (made * prompts > mostTexts) {
    reject('prompt', `asks for ${made * prompts} texts at once; at most ${mostTexts} are made`);
  }
  return { shown, made };
}

/** Plain text to be carried on, in the server's own words. */
export function parseCompletionRequest(
  body: CompletionRequest,
  prompt: TextPrompt,
  counts: TextCounts,
  model: ModelDefaults,
): GenerationRequest {
  if (body.echo === true && body.logprobs != null) {
    refuse('echo', 'cannot be combined with logprobs: there are none for the prompt');
  }
  if (body.return_progress === true) refuse('return_progress', 'is for chat completions only');
  const defaults = applyOptions(model, body.options ?? {});
  // Which text is best is told by its log-probabilities.
  const topLogprobs = body.logprobs ?? (counts.made > counts.shown ? 0 : undefined);
  return {
    model: body.model,
    prompt,
    sampling: parseSampling(body, defaults.sampling),
    maxTokens: parseMaxTokens(body, defaults.maxTokens),
    stop: stopStrings(body.stop ?? defaults.stop),
    format: { kind: 'text' },
    tools: [],
    toolChoice: { kind: 'none' },
    parallelToolCalls: false,
    thinking: { mode: 'model-default' },
    ...(topLogprobs === undefined ? {} : { topLogprobs }),
    ...parseRunFields(body, defaults),
    overflow: 'error',
  };
}
