import type { RequestHandler } from 'express';
import type { TokenUsage } from '../../tokens/token-usage.js';
import { requestFactsOf } from '../request-facts.js';

/** Notes the use of a token when the reply has gone out, so that no caller waits for it. */
export function noteTokenUse(usage: TokenUsage): RequestHandler {
  return (request, response, next) => {
    const { principal, browserSession } = request;
    if (principal !== undefined && browserSession === undefined) {
      const { ip, userAgent } = requestFactsOf(request);
      response.once('finish', () => usage.note(principal.id, ip, userAgent));
    }
    next();
  };
}
