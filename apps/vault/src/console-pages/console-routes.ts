import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Logger } from '@hearth/service-kit/logger';
import { type RequestHandler, Router } from 'express';
import { pageHeaders } from '../http/security/page-headers.js';
import { builtFiles } from './built-files.js';

/** Where the build of the console lies: beside the vault's own code. */
export const builtConsole = fileURLToPath(new URL('../../dist/console/', import.meta.url));

/** The addresses that the console's own router knows (console/src/routes). */
const knownPages = /^\/($|signin$|secrets(\/|$)|settings(\/|$))/;
/** Files at the root whose names do not change with their content. */
const plainFiles = /^[a-z]+\.(svg|js|md)$/;
/** Paths that belong to programs: what is missing there is a problem document, never a page. */
const notPages = /^\/(api|auth|assets|healthz|readyz|docs)(\/|$)/;

export interface ConsoleRouteParts {
  readonly publicUrl: string;
  readonly logger: Pick<Logger, 'warn'>;
  readonly folder?: string;
}

/**
 * The console: its files, and its one page under every address that the page understands. A person who follows a dead
 * link gets the page too, with a 404; a program gets the problem document. The names of built files change with their
 * content, so browsers may keep them for ever; the page is asked for each time.
 */
export function consoleRoutes({ publicUrl, logger, folder = builtConsole }: ConsoleRouteParts): Router {
  const router = Router();
  const pageFile = `${folder}index.html`;
  if (!existsSync(pageFile)) {
    logger.warn('the console is not built, so the vault has no pages: run npm run build');
    return router;
  }
  const page = readFileSync(pageFile, 'utf8');
  router.use('/assets', builtFiles(`${folder}assets`, /./, 'public, max-age=31536000, immutable'));
  router.use(builtFiles(folder, plainFiles, 'public, max-age=0'));
  router.get('/{*path}', onlyPages, pageHeaders(publicUrl), (request, response) => {
    response
      .status(knownPages.test(request.path) ? 200 : 404)
      .type('html')
      .send(page);
  });
  return router;
}

const onlyPages: RequestHandler = (request, _response, next) => {
  const wantsPage =
    knownPages.test(request.path) ||
    (!notPages.test(request.path) && request.get('accept')?.includes('text/html'));
  next(wantsPage ? undefined : 'route');
};
