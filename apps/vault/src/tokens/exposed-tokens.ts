import { normalAddress } from '../access/address.js';
import { hashToken, isWellFormedToken } from '../crypto/api-token.js';
import type { TokenDenials } from './token-denials.js';
import type { TokenRepository } from './token-repository.js';

export interface ExposedTokens {
  /** Tells the owner of each real token in an address that it was sent there. */
  note(url: string, ip: string | undefined): Promise<void>;
}

const mostInOneUrl = 5;

/** Addresses end up in histories and in the logs of every proxy on the way: a token in one has left safe hands. */
export function createExposedTokens({
  tokens,
  denials,
}: {
  readonly tokens: Pick<TokenRepository, 'findByHash'>;
  readonly denials: TokenDenials;
}): ExposedTokens {
  return {
    async note(url, ip) {
      const values = new Set(url.match(/sk-svc-[0-9A-Za-z]{46}/g)?.filter(isWellFormedToken));
      for (const value of [...values].slice(0, mostInOneUrl)) {
        const token = await tokens.findByHash(hashToken(value));
        if (token !== undefined) await denials.record(token, 'in_url', normalAddress(ip));
      }
    },
  };
}
