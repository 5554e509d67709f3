import { randomUUID } from 'node:crypto';
import type { AuditService } from '../audit/audit-service.js';
import type { TokenGrant } from './token.js';

/** Why a token that exists was not accepted. Only its owner learns this, from the log. */
export type Denial = 'expired' | 'revoked' | 'ip' | 'in_url';

export interface TokenDenials {
  record(token: TokenGrant, reason: Denial, ip: string | null): Promise<void>;
}

const pauseMs = 60_000;
const mostRemembered = 10_000;

/** Tells the owner of a token that it was refused, at most once a minute for each token and reason. */
export function createTokenDenials({
  audit,
  now,
}: {
  readonly audit: Pick<AuditService, 'recordAlone'>;
  readonly now: () => Date;
}): TokenDenials {
  const deniedAt = new Map<string, number>();
  return {
    async record(token, reason, ip) {
      // A program that keeps trying must not be able to fill the log.
      const label = `${token.id} ${reason}`;
      const at = now().getTime();
      if (at - (deniedAt.get(label) ?? 0) < pauseMs) return;
      if (deniedAt.size >= mostRemembered) deniedAt.clear();
      deniedAt.set(label, at);
      await audit.recordAlone({
        userId: token.userId,
        actor: { kind: 'token', id: token.id, label: token.name },
        action: 'token.use_denied',
        outcome: 'denied',
        target: { kind: 'token', id: token.id, label: token.name },
        vaultId: null,
        request: { requestId: randomUUID(), ip, userAgent: null },
        meta: { reason },
      });
    },
  };
}
