import { GenerationError } from '../../../generation/generation-error.js';

/** Where in the caller's schema something stands: a JSON pointer, for messages. */
export type SchemaPath = string;

function where(path: SchemaPath): string {
  return path === '' ? 'at the top' : `at ${path}`;
}

/** A keyword that has a meaning which no grammar of ours keeps: refused, never ignored. */
export function cannotEnforce(keyword: string, path: SchemaPath, why: string): GenerationError {
  return new GenerationError(
    'unsupported',
    `the JSON schema keyword "${keyword}" ${where(path)} cannot be enforced: ${why}`,
    {
      facts: { keyword, path },
    },
  );
}

export function invalidKeyword(keyword: string, path: SchemaPath, expected: string): GenerationError {
  return new GenerationError(
    'invalid-request',
    `the JSON schema is not valid: "${keyword}" ${where(path)} must be ${expected}`,
    {
      facts: { keyword, path },
    },
  );
}

export function childPath(path: SchemaPath, ...steps: readonly (string | number)[]): SchemaPath {
  return steps.reduce<string>(
    (longer, step) => `${longer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`,
    path,
  );
}
