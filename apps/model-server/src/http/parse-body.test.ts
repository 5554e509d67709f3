import { expect, test } from '@jest/globals';
import type { Request } from 'express';
import { z } from 'zod';
import { GenerationError } from '../generation/generation-error.js';
import { parseBody } from './parse-body.js';

const schema = z.object({ stream: z.boolean('must be true or false') }, 'must be an object');

function refusal(body: unknown): unknown {
  try {
    return parseBody({ body } as Request, schema);
  } catch (error) {
    return error;
  }
}

test('a sound body comes back as the schema reads it', () => {
  expect(refusal({ stream: true, other: 1 })).toEqual({ stream: true });
});

test.each([
  ['no body at all', undefined, 'missing request body', undefined],
  ['a body of another kind', [], 'the request body must be an object', undefined],
  ['a wrong field', { stream: 'yes' }, 'stream must be true or false', 'stream'],
])('%s is an invalid request that names the fault', (_, body, message, param) => {
  const error = refusal(body);
  expect(error).toBeInstanceOf(GenerationError);
  expect(error).toMatchObject({ code: 'invalid-request', message, param });
});
