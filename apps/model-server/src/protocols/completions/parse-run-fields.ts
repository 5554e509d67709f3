import type { ChatRequest } from '@hearth/protocol-types/completions/chat-request';
import type { GenerationRequest } from '../../generation/generation-request.js';
import type { RunDefaults } from '../../http/model-defaults.js';
import { parseKeepAlive } from '../../http/parse-keep-alive.js';
import { refuse } from './refuse.js';

export type RunBody = Pick<
  ChatRequest,
  | 'keep_alive'
  | 'ttl'
  | 'options'
  | 'grammar'
  | 'cache_prompt'
  | 'id_slot'
  | 'timings_per_token'
  | 'prompt_cache_key'
>;

/** How the request is to be run: where its prompt cache is, how long the model stays, how large its context is. */
export function parseRunFields(
  body: RunBody,
  { contextLength }: RunDefaults,
): Pick<GenerationRequest, 'keepAlive' | 'contextLength' | 'cacheKey'> {
  if (body.grammar) refuse('grammar', 'is not supported; use response_format with a JSON schema');
  if (body.cache_prompt === false) refuse('cache_prompt', 'cannot be turned off');
  if (body.timings_per_token === true) {
    refuse('timings_per_token', 'is not supported; the last chunk carries the timings');
  }
  const keepAlive = body.keep_alive ?? body.ttl;
  const cacheKey = body.prompt_cache_key ?? slotKey(body.id_slot);
  return {
    ...(keepAlive == null ? {} : { keepAlive: parseKeepAlive(keepAlive) }),
    ...(contextLength === undefined ? {} : { contextLength }),
    ...(cacheKey === undefined ? {} : { cacheKey }),
  };
}

/** A slot is a place in the prompt cache: requests that name the same one share what is cached there. */
function slotKey(slot: number | null | undefined): string | undefined {
  return slot == null || slot < 0 ? undefined : `slot-${slot}`;
}
