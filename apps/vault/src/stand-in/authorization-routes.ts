import { type Request, Router, urlencoded } from 'express';
import { consentPage } from './consent-page.js';
import type { Grants, StandInClient } from './grants.js';
import { personOf } from './people.js';

export interface AuthorizationRouteParts {
  readonly provider: string;
  readonly path: string;
  readonly client: StandInClient;
  readonly grants: Grants;
  /** What the provider adds to the address it sends people back to. */
  readonly extra: Readonly<Record<string, string>>;
}

/** The part that the browser sees, alike for both providers: ask who it is, send them back with a code. */
export function authorizationRoutes(parts: AuthorizationRouteParts): Router {
  const { provider, path, client, grants, extra } = parts;
  const router = Router();
  router.get(path, (request, response) => {
    const read = grants.readRequest(request.query);
    if (typeof read === 'string') {
      response.status(400).type('text/plain').send(`${provider} stand-in: ${read}\n`);
      return;
    }
    response
      .set('cache-control', 'no-store')
      .set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
      .set('referrer-policy', 'no-referrer')
      .type('html')
      .send(consentPage(provider, path, new URL(request.originalUrl, 'http://x').searchParams));
  });

  router.post(path, urlencoded({ extended: false, limit: 16_384 }), (request: Request, response) => {
    const form = request.body as Readonly<Record<string, unknown>>;
    const read = grants.readRequest(form);
    if (typeof read === 'string') {
      response.status(400).type('text/plain').send(`${provider} stand-in: ${read}\n`);
      return;
    }
    const back = new URL(client.redirectUri);
    back.searchParams.set('state', read.state);
    for (const [name, value] of Object.entries(extra)) back.searchParams.set(name, value);
    const person = personOf(form['login']);
    if (form['cancel'] !== undefined) {
      back.searchParams.set('error', 'access_denied');
      back.searchParams.set('error_description', 'The user <b>denied</b> access');
    } else if (person) {
      back.searchParams.set('code', grants.issueCode(person, read));
    } else {
      response.status(400).type('text/plain').send(`${provider} stand-in: that is not a possible name\n`);
      return;
    }
    response.redirect(302, back.href);
  });
  return router;
}
