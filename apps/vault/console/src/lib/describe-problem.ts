import { ApiProblem, Unreachable } from '../api/problem.js';
import { texts } from '../texts.js';

export interface DescribedProblem {
  readonly title: string;
  readonly detail?: string;
  /** What to look for in the log of the vault. */
  readonly reference?: string;
}

/** An error in words for the person who met it. */
export function describeProblem(error: unknown): DescribedProblem {
  if (error instanceof Unreachable) {
    return { title: texts.problems.unreachable, detail: texts.problems.unreachableDetail };
  }
  if (!(error instanceof ApiProblem)) return { title: texts.problems.unexpected };
  const title = texts.problems.byCode[error.code] ?? texts.problems.refused;
  if (error.code === 'rate_limited') {
    return { title, detail: texts.problems.retryIn(error.retryAfterSeconds ?? 60) };
  }
  return {
    title,
    ...(error.message ? { detail: error.message } : {}),
    ...(error.status >= 500 && error.requestId
      ? { reference: texts.problems.reference(error.requestId) }
      : {}),
  };
}
