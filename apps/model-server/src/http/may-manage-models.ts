import { requireScope } from '@hearth/auth-middleware/require-scope';
import type { TokenVerifier } from '@hearth/auth-middleware/token-verifier';
import type { RequestHandler } from 'express';

export const manageScope = 'models:manage';

/** Lets through whoever may change the models of this server; without keys in force that is everybody. */
export function mayManageModels(verifier: TokenVerifier | undefined): RequestHandler {
  return verifier
    ? requireScope({ scopes: [manageScope], realm: 'hearth' })
    : (_request, _response, next) => next();
}
