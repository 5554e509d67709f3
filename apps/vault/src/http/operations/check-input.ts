import type { Request } from 'express';
import type { z } from 'zod';
import { type FieldProblem, VaultError } from '../../errors/vault-error.js';
import type { Operation } from './operation.js';

/** Reads parameters, query and body by the schemas of an operation. What comes out is all that a handler sees. */
export function checkInput(operation: Operation, request: Request) {
  const problems: FieldProblem[] = [];
  const params = checkParams(operation, request, problems);
  const query = parse(operation.query, request.query, '/query', problems);
  const body = parse(operation.body, bodyOf(operation, request), '', problems);
  if (problems.length > 0) {
    const [first] = problems;
    const where = first?.pointer === '' ? 'The body' : first?.pointer.replace(/^\/(?:query\/)?/, '');
    throw new VaultError('validation_failed', `${where}: ${first?.detail}`, { errors: problems });
  }
  return { params, query, body };
}

/** An id that cannot be one names nothing; only a name that a write would make is told what is wrong with it. */
function checkParams(operation: Operation, request: Request, problems: FieldProblem[]): unknown {
  const own: FieldProblem[] = [];
  const params = parse(operation.params, request.params, '', own);
  if (own.length === 0) return params;
  if (operation.method !== 'put' || own.some(({ pointer }) => pointer !== '/key')) {
    throw new VaultError('not_found');
  }
  problems.push(...own);
  return undefined;
}

function bodyOf(operation: Operation, request: Request): unknown {
  if (request.body !== undefined) return request.body;
  return operation.bodyOptional === true ? {} : undefined;
}

function parse(
  schema: z.ZodType | undefined,
  input: unknown,
  prefix: string,
  problems: FieldProblem[],
): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  problems.push(...parsed.error.issues.map((issue) => toProblem(issue, prefix)));
  return undefined;
}

/** By its own words only where they are ours or name types: a message must not repeat what was sent. */
function toProblem(issue: z.core.$ZodIssue, prefix: string): FieldProblem {
  const steps = issue.path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`);
  const missing =
    issue.code === 'invalid_type' && issue.input === undefined && issue.message.includes('undefined');
  return {
    pointer: `${prefix}${steps.join('')}`,
    code: missing ? 'missing' : issue.code,
    detail: missing ? 'is missing' : issue.message.replace(/^Invalid input: /, ''),
  };
}
