import type { Principal } from '@hearth/auth-middleware/principal';
import type { TokenVerifier } from '@hearth/auth-middleware/token-verifier';
import { isAddressAllowed, normalAddress } from '../access/address.js';
import { hashToken, isWellFormedToken } from '../crypto/api-token.js';
import { VaultError } from '../errors/vault-error.js';
import { rightsOf, statusOf, type TokenGrant } from './token.js';
import type { TokenDenials } from './token-denials.js';
import type { TokenFacts } from './token-facts.js';
import type { TokenRepository } from './token-repository.js';

export interface TokenVerifierParts {
  readonly tokens: Pick<TokenRepository, 'findByHash'>;
  readonly denials: TokenDenials;
  readonly now: () => Date;
}

/**
 * Checks a token in the order of what each check costs: its form and checksum, then one look-up by hash. Revocation
 * is read from the database on every request, so it holds at once and everywhere. Only the owner learns, from the
 * log, why a known token was refused; the caller is told the same as for an unknown one.
 */
export function createTokenVerifier({ tokens, denials, now }: TokenVerifierParts): TokenVerifier {
  return {
    async verify(value, context) {
      if (!isWellFormedToken(value)) return null;
      const token = await tokens.findByHash(hashToken(value));
      if (token === undefined) return null;
      const ip = normalAddress(context?.ip);
      const status = statusOf(token, now());
      if (status !== 'active') {
        await denials.record(token, status, ip);
        return null;
      }
      if (!isAddressAllowed(ip, token.ipAllow)) {
        await denials.record(token, 'ip', ip);
        throw new VaultError('ip_not_allowed');
      }
      return principalOf(token);
    },
  };
}

function principalOf(token: TokenGrant): Principal {
  const facts: TokenFacts = {
    kind: 'token',
    userId: token.userId,
    vaultIds: token.vaultIds,
    environments: token.environments,
    environmentRenames: token.environmentRenames,
  };
  return { id: token.id, scopes: rightsOf(token), label: token.name, facts: { ...facts } };
}
