import type { Logger } from '@hearth/service-kit/logger';
import type { TokenRepository } from './token-repository.js';

export interface TokenUsage {
  /** Called when a reply has been sent: bookkeeping never makes a caller wait. */
  note(tokenId: string, ip: string | null, userAgent: string | null): void;
  /** Resolves when nothing is being written any more. */
  settled(): Promise<void>;
}

export interface TokenUsageParts {
  readonly tokens: Pick<TokenRepository, 'noteUse'>;
  readonly logger: Logger;
  readonly now: () => Date;
}

const pauseMs = 60_000;
const mostRemembered = 10_000;

/** Keeps when, from where and how often a token was used, with at most one write a minute for each token. */
export function createTokenUsage({ tokens, logger, now }: TokenUsageParts): TokenUsage {
  const seen = new Map<string, { writtenAt: number; pending: number }>();
  const writing = new Set<Promise<void>>();

  return {
    note(tokenId, ip, userAgent) {
      const at = now().getTime();
      const entry = seen.get(tokenId) ?? { writtenAt: 0, pending: 0 };
      entry.pending += 1;
      if (at - entry.writtenAt >= pauseMs) {
        const uses = entry.pending;
        entry.pending = 0;
        entry.writtenAt = at;
        const write = tokens
          .noteUse(tokenId, { uses, ip, userAgent })
          .catch((error: unknown) => logger.warn({ err: error }, 'could not note the use of a token'))
          .finally(() => writing.delete(write));
        writing.add(write);
      }
      if (seen.size >= mostRemembered) seen.clear();
      seen.set(tokenId, entry);
    },

    async settled() {
      await Promise.all(writing);
    },
  };
}
