import type { Request, RequestHandler } from 'express';
import type { Caller } from '../../access/caller.js';
import type { IdempotencyService } from '../../idempotency/idempotency-service.js';
import { callerOf } from './caller-of.js';
import { checkAccess } from './check-access.js';
import { checkInput } from './check-input.js';
import { idempotentReply } from './idempotent-reply.js';
import type { Operation, Reply } from './operation.js';
import { createOperationTable } from './operation-table.js';
import { sendReply } from './send-reply.js';

export interface MountOptions {
  readonly isFresh: (request: Request) => boolean;
  readonly idempotency: IdempotencyService;
}

/** What can be called is there to be read, so that a test can hold it against the documentation. */
export type MountedOperations = RequestHandler & { readonly operations: readonly Operation[] };

/** Does what the path and the method of a request ask for: who may, is the request well-formed, do it, answer. */
export function mountOperations(operations: readonly Operation[], options: MountOptions): MountedOperations {
  const table = createOperationTable(operations);
  const handler: RequestHandler = async (request, response, next) => {
    const found = table.find(request.method, request.path);
    if (found === undefined) return next();
    request.params = { ...found.params };
    await sendReply(response, await answer(found.operation, request, options));
  };
  return Object.assign(handler, { operations });
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
