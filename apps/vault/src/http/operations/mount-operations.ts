import { type Request, type Response, Router } from 'express';
import type { Caller } from '../../access/caller.js';
import { VaultError } from '../../errors/vault-error.js';
import type { IdempotencyService } from '../../idempotency/idempotency-service.js';
import { callerOf } from './caller-of.js';
import { checkAccess } from './check-access.js';
import { checkInput } from './check-input.js';
import { idempotentReply } from './idempotent-reply.js';
import type { Operation, Reply } from './operation.js';
import { sendReply } from './send-reply.js';

export interface MountOptions {
  readonly isFresh: (request: Request) => boolean;
  readonly idempotency: IdempotencyService;
}

/** Gives each operation its route: who may, is the request well-formed, do it, answer. */
export function mountOperations(operations: readonly Operation[], options: MountOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const operation of operations) {
    router[operation.method](routePath(operation.path), async (request, response) => {
      await sendReply(response, await answer(operation, request, options));
    });
  }
  for (const [path, methods] of methodsByPath(operations)) {
    router.all(routePath(path), (_request: Request, _response: Response) => {
      throw new VaultError('method_not_allowed', undefined, { headers: { allow: methods.join(', ') } });
    });
  }
  return router;
}

async function answer(operation: Operation, request: Request, options: MountOptions): Promise<Reply> {
  checkAccess(operation.access, request, options.isFresh);
  const isPublic = operation.access.kind === 'public';
  const caller = isPublic ? (undefined as unknown as Caller) : callerOf(request);
  const input = checkInput(operation, request);
  const handle = () => operation.handle({ caller, request, ...input } as never);
  return operation.idempotencyKey === true
    ? idempotentReply(request, caller, options.idempotency, handle)
    : handle();
}

/** OpenAPI writes /vaults/{vault_id}, Express /vaults/:vault_id. */
export function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function methodsByPath(operations: readonly Operation[]): Map<string, string[]> {
  const byPath = new Map<string, string[]>();
  for (const { path, method } of operations) {
    const methods = byPath.get(path) ?? [];
    if (method === 'get') methods.push('HEAD');
    byPath.set(path, [...methods, method.toUpperCase()]);
  }
  return byPath;
}
