import type { Principal } from './principal.js';

/** What a verifier may need to know about the request besides the token. */
export interface TokenContext {
  /** The caller's address as Express sees it, after `trust proxy`. */
  readonly ip?: string | undefined;
}

/** The port behind `requireToken`: one configured key, a table of tokens, another service. */
export interface TokenVerifier {
  /**
   * Null says that the token opens nothing. A verifier that cannot decide (its store is down) throws, and the request
   * fails: a token is never accepted by default.
   */
  verify(token: string, context?: TokenContext): Promise<Principal | null>;
}
