export type AuthenticationFailure = 'missing' | 'malformed' | 'invalid';

/**
 * The caller is not known. The message is written for the caller and never holds the token. `wwwAuthenticate` is the
 * header that belongs to the answer (RFC 6750, part 3); status and body are the app's own.
 */
export class AuthenticationError extends Error {
  override readonly name = 'AuthenticationError';
  readonly wwwAuthenticate: string;

  constructor(
    readonly reason: AuthenticationFailure,
    realm: string,
    message: string,
  ) {
    super(message);
    this.wwwAuthenticate = challenge({ realm, error: errorCodes[reason] });
  }
}

/** The caller is known and may not do this. */
export class AuthorizationError extends Error {
  override readonly name = 'AuthorizationError';
  readonly wwwAuthenticate: string;

  constructor(
    /** Every scope the request needs, held or not, so that the caller learns what to ask for. */
    readonly requiredScopes: readonly string[],
    realm: string,
  ) {
    super(
      `This needs the ${requiredScopes.length === 1 ? 'scope' : 'scopes'} ${requiredScopes.join(', ')}, which the token does not hold.`,
    );
    this.wwwAuthenticate = challenge({ realm, error: 'insufficient_scope', scope: requiredScopes.join(' ') });
  }
}

// A request that sent no credentials gets no error code: it is only told which scheme to use.
const errorCodes = { missing: undefined, malformed: 'invalid_request', invalid: 'invalid_token' } as const;

function challenge(parameters: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value.replace(/["\\]/g, '\\$&')}"`],
  );
  return `Bearer ${pairs.join(', ')}`;
}
