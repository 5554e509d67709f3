import type { Request, RequestHandler } from 'express';
import { AuthenticationError } from './auth-errors.js';
import type { Principal } from './principal.js';
import { type CredentialForm, readCredentials } from './read-credentials.js';
import type { TokenVerifier } from './token-verifier.js';

export interface RequireTokenOptions {
  readonly verifier: TokenVerifier;
  /** Names the protected area in `WWW-Authenticate`. */
  readonly realm: string;
  /** The header forms that count here. */
  readonly forms: readonly CredentialForm[];
  readonly maxTokenLength?: number;
}

/**
 * Lets a request pass only with a token that the verifier accepts, and sets `request.principal`. Where a request
 * carries two tokens, one that holds is enough. It throws; the app's error handler answers.
 */
export function requireToken(options: RequireTokenOptions): RequestHandler {
  return async (request, _response, next) => {
    request.principal = await authenticate(request, options);
    next();
  };
}

async function authenticate(request: Request, options: RequireTokenOptions): Promise<Principal> {
  const { verifier, realm, forms } = options;
  const credentials = readCredentials(request, options);
  if (credentials.kind === 'missing') {
    throw new AuthenticationError(
      'missing',
      realm,
      `This needs a token: ${forms.map(instruction).join(' or ')}.`,
    );
  }
  if (credentials.kind === 'malformed') {
    throw new AuthenticationError('malformed', realm, credentials.problem);
  }
  for (const token of credentials.tokens) {
    const principal = await verifier.verify(token, { ip: request.ip });
    if (principal !== null) return principal;
  }
  throw new AuthenticationError('invalid', realm, 'The token is not valid.');
}

function instruction(form: CredentialForm): string {
  return form === 'bearer'
    ? 'send the header "Authorization: Bearer <token>"'
    : 'send the header "x-api-key: <token>"';
}
