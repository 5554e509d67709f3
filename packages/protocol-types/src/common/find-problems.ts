import type { z } from 'zod';

export interface Problem {
  /** The field at fault, as the caller wrote it: `messages.0.content.1.type`. Empty for the body itself. */
  readonly path: string;
  /** Follows the path in a sentence: `must be a string`. */
  readonly message: string;
}

/**
 * What is wrong with a body, each problem at its own field. Where a field has several forms (a string or a list of
 * parts), zod reports the whole field; the form that matched furthest is the one that the caller meant, so its
 * problem is told instead.
 */
export function findProblems(error: z.ZodError): readonly Problem[] {
  return error.issues
    .flatMap((issue) => leafIssues(issue, []))
    .map(({ path, message }) => ({ path: path.join('.'), message }));
}

interface Leaf {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function leafIssues(issue: z.core.$ZodIssue, parents: readonly PropertyKey[]): readonly Leaf[] {
  const path = [...parents, ...issue.path];
  const own = [{ path, message: issue.message }];
  if (issue.code !== 'invalid_union') return own;
  const forms = issue.errors.map((issues) => issues.flatMap((inner) => leafIssues(inner, path)));
  return forms.reduce<readonly Leaf[]>((best, form) => (depth(form) > depth(best) ? form : best), own);
}

function depth(leaves: readonly Leaf[]): number {
  return leaves.reduce((deepest, leaf) => Math.max(deepest, leaf.path.length), 0);
}
