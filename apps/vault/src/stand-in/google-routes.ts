import { Router, urlencoded } from 'express';
import { authorizationRoutes } from './authorization-routes.js';
import { createGrants, type StandInClient } from './grants.js';
import { misbehave } from './misbehave.js';

/** Google's OAuth as its clients see it: JSON throughout, the sender named in `iss`, no token in an address. */
export function googleRoutes(client: StandInClient, issuer: string): Router {
  const grants = createGrants(client);
  const router = Router();
  router.use(
    authorizationRoutes({
      provider: 'Google',
      path: '/o/oauth2/v2/auth',
      client,
      grants,
      extra: { iss: issuer },
    }),
  );

  router.post('/token', urlencoded({ extended: false }), (request, response) => {
    const result = grants.redeem(request.body as Record<string, unknown>);
    if (typeof result === 'string') {
      response
        .status(result === 'invalid_client' ? 401 : 400)
        .json({ error: result, error_description: 'Malformed <b>auth</b> code.' });
      return;
    }
    response.json({
      access_token: result.accessToken,
      expires_in: 3599,
      scope: result.scope,
      token_type: 'Bearer',
    });
  });

  router.get('/v1/userinfo', (request, response) => {
    const person = grants.holderOf(request.get('authorization'));
    if (!person) {
      response
        .status(401)
        .set('www-authenticate', 'Bearer error="invalid_token"')
        .json({ error: 'invalid_request', error_description: 'Invalid Credentials' });
      return;
    }
    if (misbehave(person, response)) return;
    const { login, name, id, trouble } = person;
    response.json({
      ...(trouble === 'trouble-no-id' ? {} : { sub: `10${id}` }),
      name,
      given_name: name,
      email: `${login}@example.com`,
      email_verified: trouble !== 'trouble-unverified',
    });
  });
  return router;
}
