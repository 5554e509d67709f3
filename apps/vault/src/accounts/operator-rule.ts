import type { Session } from '../sessions/session.js';
import type { AccountRepository } from './account-repository.js';
import { isListedLogin } from './listed-login.js';

export type IsOperator = (session: Pick<Session, 'userId' | 'identityId'>) => Promise<boolean>;

export interface OperatorRuleParts {
  readonly repository: Pick<AccountRepository, 'count' | 'listIdentities'>;
  /** The logins of VAULT_OPERATORS. */
  readonly logins: readonly string[];
}

/**
 * Who may do what concerns everybody who uses this vault. Named logins: by their ids, any login of an account; by a
 * GitHub name, only the login that the session was opened with, because of another it is not known who has that name
 * by now. Where none are named, the only account there is, for then it concerns nobody else.
 */
export function createOperatorRule({ repository, logins }: OperatorRuleParts): IsOperator {
  return async ({ userId, identityId }) => {
    if (logins.length === 0) return (await repository.count()) === 1;
    return (await repository.listIdentities(userId)).some((identity) =>
      isListedLogin(logins, identity.id === identityId ? identity : { ...identity, username: undefined }),
    );
  };
}
