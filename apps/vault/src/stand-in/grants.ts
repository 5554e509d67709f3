import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Person } from './people.js';

export interface StandInClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

/** What the browser was sent here with. */
export interface AuthorizationRequest {
  readonly state: string;
  readonly challenge: string;
  readonly scope: string;
}

export type TokenRefusal = 'invalid_client' | 'invalid_grant';

export interface Grants {
  /** Checks a request by the rules that the real provider has, or says what is wrong with it. */
  readRequest(query: Readonly<Record<string, unknown>>): AuthorizationRequest | string;
  issueCode(person: Person, request: AuthorizationRequest): string;
  /** Trades a code for an access token, once. */
  redeem(form: Readonly<Record<string, unknown>>): { accessToken: string; scope: string } | TokenRefusal;
  /** Whom a token of this provider stands for; the header form only, as a strict provider has it. */
  holderOf(authorization: string | undefined): Person | undefined;
}

const codeLifetimeMs = 60_000;
const mostKept = 1000;

/** Codes and tokens of one stand-in provider, in memory: single use, bound to client, address and PKCE challenge. */
export function createGrants(client: StandInClient): Grants {
  const codes = new Map<string, { person: Person; challenge: string; scope: string; expires: number }>();
  const tokens = new Map<string, Person>();
  return {
    readRequest(query) {
      if (query['client_id'] !== client.clientId) return 'unknown client_id';
      if (query['redirect_uri'] !== client.redirectUri) return 'redirect_uri is not the registered one';
      if (query['response_type'] !== 'code') return 'response_type must be code';
      if (query['code_challenge_method'] !== 'S256') return 'code_challenge_method must be S256';
      const { state, code_challenge: challenge, scope = '' } = query;
      if (typeof challenge !== 'string' || !/^[A-Za-z0-9_-]{43}$/.test(challenge))
        return 'bad code_challenge';
      if (typeof state !== 'string' || state === '') return 'state is missing';
      return { state, challenge, scope: String(scope) };
    },

    issueCode(person, { challenge, scope }) {
      const code = randomBytes(20).toString('hex');
      remember(codes, code, { person, challenge, scope, expires: Date.now() + codeLifetimeMs });
      return code;
    },

    redeem(form) {
      if (form['client_id'] !== client.clientId || !sameText(form['client_secret'], client.clientSecret)) {
        return 'invalid_client';
      }
      const code = String(form['code']);
      const grant = codes.get(code);
      codes.delete(code);
      const challenge = createHash('sha256').update(String(form['code_verifier'])).digest('base64url');
      const fits =
        grant !== undefined &&
        grant.expires > Date.now() &&
        form['grant_type'] === 'authorization_code' &&
        form['redirect_uri'] === client.redirectUri &&
        sameText(challenge, grant.challenge);
      if (!fits) return 'invalid_grant';
      const accessToken = `standin_${randomBytes(24).toString('base64url')}`;
      remember(tokens, accessToken, grant.person);
      return { accessToken, scope: grant.scope };
    },

    holderOf(authorization) {
      return tokens.get(/^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? '');
    },
  };
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  const oldest = map.keys().next();
  if (map.size >= mostKept && !oldest.done) map.delete(oldest.value);
  map.set(key, value);
}

function sameText(one: unknown, other: string): boolean {
  const a = Buffer.from(String(one));
  const b = Buffer.from(other);
  return a.length === b.length && timingSafeEqual(a, b);
}
