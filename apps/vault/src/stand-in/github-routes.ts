import { Router, urlencoded } from 'express';
import { authorizationRoutes } from './authorization-routes.js';
import { createGrants, type StandInClient } from './grants.js';
import { misbehave } from './misbehave.js';

const refusals = {
  invalid_client: 'incorrect_client_credentials',
  invalid_grant: 'bad_verification_code',
} as const;

/** GitHub's OAuth as its clients see it: errors come with status 200, answers form-encoded unless JSON is asked for. */
export function githubRoutes(client: StandInClient): Router {
  const grants = createGrants(client);
  const router = Router();
  router.use(
    authorizationRoutes({ provider: 'GitHub', path: '/login/oauth/authorize', client, grants, extra: {} }),
  );

  router.post('/login/oauth/access_token', urlencoded({ extended: false }), (request, response) => {
    const result = grants.redeem(request.body as Record<string, unknown>);
    const answer =
      typeof result === 'string'
        ? { error: refusals[result], error_description: 'The <b>code</b> passed is incorrect or expired.' }
        : { access_token: result.accessToken, scope: result.scope, token_type: 'bearer' };
    if (request.accepts(['application/x-www-form-urlencoded', 'json']) === 'json') response.json(answer);
    else response.type('application/x-www-form-urlencoded').send(new URLSearchParams(answer).toString());
  });

  router.get('/user', (request, response) => {
    if (!request.get('user-agent')) {
      response.status(403).send('Request forbidden by administrative rules.');
      return;
    }
    const person = grants.holderOf(request.get('authorization'));
    if (!person) {
      response.status(401).json({ message: 'Bad credentials' });
      return;
    }
    if (misbehave(person, response)) return;
    const { login, name, id, trouble } = person;
    response.json({
      login,
      ...(trouble === 'trouble-no-id' ? {} : { id }),
      name,
      email: null,
      html_url: `https://github.com/${login}`,
      type: 'User',
    });
  });
  return router;
}
