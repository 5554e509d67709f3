import type { CompletionRequest } from '@hearth/protocol-types/completions/completion-request';
import type { InfillPrompt, RawPrompt } from '../../../generation/generation-request.js';
import { reject } from '../refuse.js';

export type TextPrompt = RawPrompt | InfillPrompt;

/** One prompt for each text asked for. Prompts are taken as they are: no chat template is put around them. */
export function parsePrompts({ prompt, suffix }: CompletionRequest): readonly TextPrompt[] {
  const prompts = asList(prompt);
  if (prompts.length === 0) reject('prompt', 'must hold at least one prompt');
  return prompts.map((one): TextPrompt => {
    if (typeof one !== 'string') {
      if (suffix) reject('suffix', 'needs a prompt of text, not of tokens');
      return { kind: 'raw', tokens: one };
    }
    return suffix ? { kind: 'infill', prefix: one, suffix } : { kind: 'raw', text: one };
  });
}

function asList(prompt: CompletionRequest['prompt']): readonly (string | readonly number[])[] {
  if (prompt == null) return reject('prompt', 'is required');
  if (typeof prompt === 'string') return [prompt];
  return isTokens(prompt) ? [prompt] : prompt;
}

function isTokens(list: readonly (string | number | number[])[]): list is number[] {
  return typeof list[0] === 'number';
}
