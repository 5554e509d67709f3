import express, { type Express } from 'express';
import { githubRoutes } from './github-routes.js';
import { googleRoutes } from './google-routes.js';
import type { StandInSettings } from './stand-in-settings.js';

/** Both stand-in providers behind one address: their paths do not meet. */
export function createStandIn(settings: StandInSettings, url: string): Express {
  const app = express();
  app.disable('x-powered-by');
  const client = (name: 'github' | 'google') => ({
    ...settings[name],
    redirectUri: `${settings.publicUrl}/auth/${name}/callback`,
  });
  app.use(githubRoutes(client('github')));
  app.use(googleRoutes(client('google'), url));
  return app;
}
