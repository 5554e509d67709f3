import type { Request, RequestHandler } from 'express';
import type { IsOperator } from './accounts/operator-rule.js';
import { auditRoutes } from './audit/audit-routes.js';
import type { Domain } from './compose-domain.js';
import type { GitHubKeys } from './crypto/github-signature.js';
import { environmentRoutes } from './environments/environment-routes.js';
import { documentationRoutes } from './http/documentation/documentation-routes.js';
import { mountOperations } from './http/operations/mount-operations.js';
import { noteTokenUse } from './http/operations/note-token-use.js';
import type { Operation } from './http/operations/operation.js';
import { createPaging } from './http/operations/paging.js';
import { moveRoutes } from './secrets/move-routes.js';
import { secretRoutes } from './secrets/secret-routes.js';
import { transferRoutes } from './secrets/transfer-routes.js';
import { trashRoutes } from './secrets/trash-routes.js';
import { versionRoutes } from './secrets/version-routes.js';
import { leakRoutes } from './tokens/leak-routes.js';
import { ownTokenRoutes } from './tokens/own-token-routes.js';
import { tokenRoutes } from './tokens/token-routes.js';
import { vaultRoutes } from './vaults/vault-routes.js';

export interface ApiParts {
  readonly domain: Domain;
  /** Whether the session of a request has just signed in. */
  readonly isFresh: (request: Request) => boolean;
  readonly isOperator: IsOperator;
  readonly version: string;
  readonly publicUrl: string;
  /** By which GitHub signs its reports of leaked tokens. */
  readonly githubKeys: GitHubKeys;
  /** What the rest of the vault adds: who is signed in, and how. */
  readonly more: readonly Operation[];
}

/** Every operation under /api/secrets, in one list: the router and the documentation are made from it. */
export function apiOperations({
  domain,
  isFresh,
  isOperator,
  githubKeys,
}: Pick<ApiParts, 'domain' | 'isFresh' | 'isOperator' | 'githubKeys'>): Operation[] {
  const paging = createPaging(() => domain.keys.current().active.cursor);
  return [
    ...vaultRoutes({ ...domain, paging }),
    ...environmentRoutes(domain),
    ...secretRoutes({ ...domain, paging }),
    ...versionRoutes({ ...domain, paging }),
    ...trashRoutes({ ...domain, isFresh }),
    ...moveRoutes(domain),
    ...transferRoutes(domain),
    ...tokenRoutes({ ...domain, paging }),
    ...ownTokenRoutes(domain),
    ...leakRoutes({ ...domain, githubKeys }),
    ...auditRoutes({ ...domain, paging, isOperator }),
  ];
}

export function composeApi(parts: ApiParts): RequestHandler[] {
  const { domain, isFresh } = parts;
  const operations = [...apiOperations(parts), ...parts.more];
  return [
    noteTokenUse(domain.tokenUsage),
    mountOperations(operations, { isFresh, idempotency: domain.idempotency }),
    documentationRoutes(operations, parts),
  ];
}
