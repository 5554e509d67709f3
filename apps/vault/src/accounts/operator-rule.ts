import type { AccountRepository } from './account-repository.js';
import { isListedLogin } from './listed-login.js';

export type IsOperator = (userId: string) => Promise<boolean>;

export interface OperatorRuleParts {
  readonly repository: Pick<AccountRepository, 'count' | 'listIdentities'>;
  /** The logins of VAULT_OPERATORS. */
  readonly logins: readonly string[];
}

/**
 * Who may do what concerns everybody who uses this vault. Named logins, by any login of an account; where none are
 * named, the only account there is, for then it concerns nobody else.
 */
export function createOperatorRule({ repository, logins }: OperatorRuleParts): IsOperator {
  return async (userId) => {
    if (logins.length === 0) return (await repository.count()) === 1;
    return (await repository.listIdentities(userId)).some((identity) => isListedLogin(logins, identity));
  };
}
