import type { ChatRequest } from '@hearth/protocol-types/completions/chat-request';

type LimitBody = Pick<ChatRequest, 'max_completion_tokens' | 'max_tokens'>;

/** The smaller of both spellings; -1 and `undefined` are no limit but the context. */
export function parseMaxTokens(body: LimitBody, unlessGiven: number | undefined): number | undefined {
  const given = [body.max_completion_tokens, body.max_tokens].filter((limit) => limit != null);
  if (given.length === 0) return unlessGiven;
  const bounded = given.filter((limit) => limit >= 0);
  return bounded.length === 0 ? undefined : Math.min(...bounded);
}
