import type { CompletionRequest } from '@hearth/protocol-types/completions/completion-request';
import type { GenerationRequest } from '../../../generation/generation-request.js';
import type { TextGenerator } from '../../../generation/text-generator.js';
import { serverSentEvents } from '../../../http/frame-writer.js';
import type { Exchange } from '../../../http/generation-handler.js';
import { modelDefaults } from '../../../http/model-defaults.js';
import type { ModelEntry } from '../../../models/model-entry.js';
import { newReplyHead } from '../reply-head.js';
import { seedOfChoice } from '../seed-of-choice.js';
import { CompletionStreamRenderer } from './completion-stream-renderer.js';
import { parseCompletionRequest, parseCounts } from './parse-completion-request.js';
import { parsePrompts, type TextPrompt } from './parse-prompts.js';
import { renderCompletion } from './render-completion.js';

/** One text completion, of one or many prompts, from its body to its reply. */
export async function completionExchange(
  body: CompletionRequest,
  model: ModelEntry,
  generator: TextGenerator,
  signal: AbortSignal,
): Promise<Exchange> {
  const prompts = parsePrompts(body);
  const counts = parseCounts(body, prompts.length);
  const defaults = modelDefaults(model);
  const requests = prompts.flatMap((prompt) => {
    const request = parseCompletionRequest(body, prompt, counts, defaults);
    return Array.from({ length: counts.made }, (_, choice) => seedOfChoice(request, choice));
  });
  const textOf = async (prompt: TextPrompt): Promise<string> => {
    if (prompt.kind === 'infill') return prompt.prefix;
    return prompt.text ?? (await generator.detokenize(body.model, prompt.tokens ?? [], signal));
  };
  const echoes = body.echo === true ? await Promise.all(prompts.map(textOf)) : prompts.map(() => '');
  const head = newReplyHead('cmpl-', body.model, model);
  const options = {
    counts,
    echoes,
    logprobs: body.logprobs != null,
    includeUsage: body.stream_options?.include_usage === true,
  };
  return {
    requests: requests as [GenerationRequest, ...GenerationRequest[]],
    streamFormat: body.stream === true ? serverSentEvents : undefined,
    renderResult: (results) => renderCompletion(head, results, options),
    createStreamRenderer: () => new CompletionStreamRenderer(head, options),
  };
}
