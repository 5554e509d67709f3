import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { VaultError } from '../errors/vault-error.js';
import { problemContentType, problemOf } from './problem.js';

/** Answers while the database is still being opened: the port is ours already, the service is not there yet. */
export const startingHandler: RequestListener = (_request, response) => {
  const problem = problemOf(new VaultError('starting'), randomUUID());
  response
    .writeHead(problem.status, {
      'content-type': problemContentType,
      'cache-control': 'no-store',
      'retry-after': '1',
    })
    .end(JSON.stringify(problem));
};
