import type { Logger } from '@hearth/service-kit/logger';
import { type Request, type RequestHandler, type Response, Router } from 'express';

import type { ProviderProfile } from '../accounts/account.js';
import type { AccountService } from '../accounts/account-service.js';
import { isLoopbackHost } from '../config/loopback.js';
import { VaultError } from '../errors/vault-error.js';
import type { Cookies } from '../http/cookies.js';
import { requestFactsOf } from '../http/request-facts.js';
import { sessionFor } from '../http/session-for.js';
import type { SessionService } from '../sessions/session-service.js';
import type { SignInPassport } from './configure-passport.js';
import { callbackPath } from './create-strategies.js';
import type { Flow } from './flow-cookie.js';
import type { ProviderSettings } from './provider-settings.js';
import { safeReturnTo } from './return-to.js';
import { problemOfProviderError, problemOfRefusal, type SignInProblem } from './sign-in-problem.js';
import type { FlowStart } from './state-store.js';

export interface SignInRouteParts {
  readonly passport: SignInPassport;
  readonly providers: readonly ProviderSettings[];
  readonly accounts: AccountService;
  readonly sessions: SessionService;
  readonly cookies: Cookies;
  readonly publicUrl: string;
  readonly sessionMaxSeconds: number;
  readonly logger: Logger;
}

/** Where people land when a sign-in or a linking went wrong; the page shows a text for `e`. */
const signInPage = '/signin';
const linkPage = '/settings/logins';

/** The way to a provider and back. A provider without settings has no route at all. */
export function signInRoutes(parts: SignInRouteParts): Router {
  const router = Router();
  router.use('/auth', onlyGet, onOurHost(parts.publicUrl));
  for (const provider of parts.providers) {
    router.get(`/auth/${provider.name}`, (request, response, next) => {
      const returnTo = safeReturnTo(request.query['return_to'], parts.publicUrl);
      begin(parts, provider, { intent: 'sign-in', returnTo })(request, response, next);
    });
    router.get(`/auth/link/${provider.name}`, (request, response, next) => {
      const session = sessionFor(request);
      // Another site must not be able to send a signed-in person off to link something.
      if (!['same-origin', 'none', undefined].includes(request.get('sec-fetch-site'))) {
        throw new VaultError('csrf_failed', 'Linking a login starts in the console.');
      }
      if (!parts.sessions.isFresh(session)) return redirect(response, linkPage, 'sign-in-again');
      const returnTo = safeReturnTo(request.query['return_to'] ?? linkPage, parts.publicUrl);
      begin(parts, provider, { intent: 'link', returnTo, sessionId: session.id })(request, response, next);
    });
    router.get(callbackPath(provider.name), callback(parts, provider));
  }
  return router;
}

function begin({ passport }: SignInRouteParts, provider: ProviderSettings, state: FlowStart): RequestHandler {
  // Google then asks which account, instead of silently taking the one that happens to be signed in.
  const prompt = provider.name === 'google' ? { prompt: 'select_account' } : {};
  return passport.authenticate(provider.name, {
    session: false,
    state,
    ...prompt,
  } as object) as RequestHandler;
}

function callback(parts: SignInRouteParts, provider: ProviderSettings): RequestHandler {
  return async (request, response, next) => {
    const { error, code, iss } = request.query;
    if (error !== undefined) {
      return redirect(response, signInPage, error === 'access_denied' ? 'cancelled' : 'provider');
    }
    // Without this check a callback without a code would start a new sign-in.
    if (typeof code !== 'string' || code === '') throw new VaultError('invalid_request');
    if (iss !== undefined && provider.issuer !== undefined && iss !== provider.issuer) {
      return redirect(response, signInPage, 'provider');
    }
    const outcome = await authenticate(parts.passport, provider, request, response, next);
    if (outcome.error !== undefined) {
      parts.logger.warn(
        { request_id: request.id, provider: provider.name, err: outcome.error },
        'sign-in failed',
      );
      return redirect(response, signInPage, problemOfProviderError(outcome.error));
    }
    const { profile, flow } = outcome;
    if (!profile) return redirect(response, signInPage, outcome.status === 403 ? 'expired' : 'provider');
    if (!flow) throw new Error('the strategy returned no flow');
    await (flow.intent === 'link' ? finishLinking : finishSignIn)(parts, request, response, profile, flow);
  };
}

interface Outcome {
  readonly error?: unknown;
  readonly profile?: ProviderProfile | undefined;
  readonly flow?: Flow | undefined;
  readonly status?: number | undefined;
}

/** Passport's callback as a promise. A refused state is status 403; a profile we cannot use has none. */
function authenticate(
  passport: SignInPassport,
  provider: ProviderSettings,
  request: Request,
  response: Response,
  next: (error?: unknown) => void,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const settle = (
      error: unknown,
      profile: ProviderProfile | false,
      info?: { state?: Flow },
      status?: number,
    ) =>
      resolve(
        error
          ? { error }
          : { profile: profile || undefined, flow: profile ? info?.state : undefined, status },
      );
    passport.authenticate(provider.name, { session: false }, settle)(request, response, next);
  });
}

async function finishSignIn(
  parts: SignInRouteParts,
  request: Request,
  response: Response,
  profile: ProviderProfile,
  flow: Flow,
): Promise<void> {
  try {
    const { secret } = await parts.accounts.signIn(profile, request.browserSession, requestFactsOf(request));
    parts.cookies.set(response, parts.cookies.names.session, secret, parts.sessionMaxSeconds);
    response.redirect(303, flow.returnTo);
  } catch (error) {
    const problem = problemOfRefusal(error);
    if (problem === undefined) throw error;
    redirect(response, signInPage, problem);
  }
}

async function finishLinking(
  parts: SignInRouteParts,
  request: Request,
  response: Response,
  profile: ProviderProfile,
  flow: Flow,
): Promise<void> {
  const session = request.browserSession;
  if (!session || session.id !== flow.sessionId) return redirect(response, signInPage, 'expired');
  try {
    await parts.accounts.link(profile, session, requestFactsOf(request));
    response.redirect(303, flow.returnTo);
  } catch (error) {
    const problem = problemOfRefusal(error);
    if (problem === undefined) throw error;
    redirect(response, linkPage, problem);
  }
}

function redirect(response: Response, page: string, problem: SignInProblem): void {
  response.redirect(303, `${page}?e=${problem}`);
}

/** Express answers HEAD by the GET route, and here that would use up a code. */
const onlyGet: RequestHandler = (request, _response, next) => {
  if (request.method !== 'GET') {
    throw new VaultError('method_not_allowed', undefined, { headers: { allow: 'GET' } });
  }
  next();
};

/**
 * Cookies belong to one host name: whoever came by another name of this machine (localhost for 127.0.0.1) goes on
 * under ours. Behind a proxy the header may name anything and says nothing.
 */
function onOurHost(publicUrl: string): RequestHandler {
  const ours = new URL(publicUrl);
  return (request, response, next) => {
    const host = `http://${request.get('host')}`;
    const theirs = URL.canParse(host) ? new URL(host) : undefined;
    const isAlias =
      isLoopbackHost(ours.hostname) &&
      theirs !== undefined &&
      theirs.hostname !== ours.hostname &&
      isLoopbackHost(theirs.hostname) &&
      theirs.port === ours.port;
    if (isAlias && request.query['code'] === undefined)
      response.redirect(307, `${publicUrl}${request.originalUrl}`);
    else next();
  };
}
