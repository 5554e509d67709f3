import type { Problem } from '@hearth/protocol-types/vault/problem';

/** A reply that says no. The message is the server's own sentence, which never holds a secret. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly fields: ReadonlyMap<string, string>;
  readonly currentVersion: number | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, problem: Partial<Problem>, retryAfter: string | null) {
    super(problem.detail ?? problem.title ?? '');
    this.name = 'ApiProblem';
    this.status = status;
    this.code = problem.code ?? 'unknown';
    this.requestId = problem.request_id;
    this.fields = new Map(problem.errors?.map(({ pointer, detail }) => [pointer, detail]));
    this.currentVersion = problem.current_version ?? undefined;
    this.retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter) || undefined;
  }

  /** What is wrong with one field of a form; `/scopes` also answers for `/scopes/0`. */
  fieldProblem(pointer: string): string | undefined {
    for (const [key, detail] of this.fields) {
      if (key === pointer || key.startsWith(`${pointer}/`)) return detail;
    }
    return undefined;
  }
}

/** The server could not be reached at all. */
export class Unreachable extends Error {
  constructor() {
    super('unreachable');
    this.name = 'Unreachable';
  }
}

export function hasCode(error: unknown, code: string): error is ApiProblem {
  return error instanceof ApiProblem && error.code === code;
}
