import { createHash } from 'node:crypto';
import { createGuessBudget } from './guess-budget.js';
import type { Principal } from './principal.js';
import type { TokenVerifier } from './token-verifier.js';

export interface VaultTokenVerifierOptions {
  /** Where the vault is: scheme, host and port. */
  readonly url: string;
  /** How long a yes is believed: a revoked token opens nothing any more after at most this long. */
  readonly cacheSeconds?: number;
  readonly timeoutMs?: number;
  readonly now?: () => number;
}

/** The vault gave no answer, so nobody was let in. */
export class VaultUnreachableError extends Error {
  override readonly name = 'VaultUnreachableError';

  constructor(message = 'The vault that checks tokens cannot be reached.', cause?: unknown) {
    super(message, { cause });
  }
}

interface Known {
  readonly principal: Principal | null;
  readonly until: number;
}

const tokenShape = /^sk-svc-[0-9A-Za-z]{46}$/;
const mostKnown = 1000;
// What a vault has refused it never accepts later, so a program that keeps sending it need not trouble the vault.
const refusalSeconds = 300;
// The vault shuts out an address after 30 refused tokens a minute, good tokens included, and all our callers are one
// address to it. Whoever guesses here must not bring that about: two minutes of this stay below its limit.
const guessesPerMinute = 14;

/**
 * Asks a vault what a token may do, by sending the token to the vault's own "who am I". What cannot be a vault's token
 * is refused without asking. Answers are kept for seconds, under a hash of the token; requests that come together ask
 * once.
 */
export function vaultTokenVerifier(options: VaultTokenVerifierOptions): TokenVerifier {
  const { cacheSeconds = 5, timeoutMs = 3000, now = Date.now } = options;
  const whoAmI = new URL('/api/secrets/token', options.url);
  const known = new Map<string, Known>();
  const underway = new Map<string, Promise<Principal | null>>();
  const guesses = createGuessBudget({ limit: guessesPerMinute, windowMs: 60_000, now });

  async function askAndRemember(token: string, key: string): Promise<Principal | null> {
    // A token that was good before is no guess: its holder is asked about whatever others try.
    const isGuess = !known.get(key)?.principal;
    if (isGuess && !guesses.take()) {
      throw new VaultUnreachableError('Too many unknown tokens were tried here; try again in a minute.');
    }
    let isRefused = false;
    try {
      const principal = await ask(whoAmI, token, timeoutMs);
      isRefused = principal === null;
      remember(key, principal);
      return principal;
    } finally {
      if (isGuess && !isRefused) guesses.giveBack();
    }
  }

  function remember(key: string, principal: Principal | null): void {
    // Enough for every user of a server; whoever guesses tokens must not fill the memory.
    if (known.size >= mostKnown) known.clear();
    const seconds = principal ? cacheSeconds : refusalSeconds;
    known.set(key, { principal, until: now() + seconds * 1000 });
  }

  return {
    async verify(token) {
      if (!tokenShape.test(token)) return null;
      const key = createHash('sha256').update(token).digest('base64');
      const remembered = known.get(key);
      if (remembered && remembered.until > now()) return remembered.principal;
      const asked = underway.get(key) ?? askAndRemember(token, key).finally(() => underway.delete(key));
      underway.set(key, asked);
      return asked;
    },
  };
}

async function ask(whoAmI: URL, token: string, timeoutMs: number): Promise<Principal | null> {
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(whoAmI, {
      headers: { authorization: `Bearer ${token}` },
      // A token goes to the vault that was configured and nowhere else.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    body = await response.json();
  } catch (error) {
    throw new VaultUnreachableError(undefined, error);
  }
  if (response.status === 401 || response.status === 403) return null;
  const { id, name, effective_scopes: scopes } = (body ?? {}) as Record<string, unknown>;
  if (!response.ok || typeof id !== 'string' || !Array.isArray(scopes)) throw new VaultUnreachableError();
  return {
    id,
    scopes: new Set(scopes.filter((scope) => typeof scope === 'string')),
    ...(typeof name === 'string' ? { label: name } : {}),
  };
}
