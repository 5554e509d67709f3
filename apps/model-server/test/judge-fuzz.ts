import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { z } from 'zod';
import { type Json, mutatedBody } from './fuzz-bodies.js';

export interface FuzzedRequest {
  readonly path: string;
  readonly body: string;
}

/** Sound bodies with values taken away or replaced, and now and then no JSON at all, for every path given. */
export function fuzzedRequests(soundBodies: Readonly<Record<string, Json>>): fc.Arbitrary<FuzzedRequest> {
  return fc.constantFrom(...Object.keys(soundBodies)).chain((path) =>
    fc.record({
      path: fc.constant(path),
      body: fc.oneof(
        { weight: 20, arbitrary: mutatedBody(soundBodies[path] as Json).map((body) => JSON.stringify(body)) },
        { weight: 1, arbitrary: fc.string() },
      ),
    }),
  );
}

/** Sends it and holds the reply to what every reply must be: in time, no fault of ours, errors in the family's shape. */
export async function sendAndJudge(
  url: string,
  { path, body }: FuzzedRequest,
  errorShape: z.ZodType,
): Promise<number> {
  const response = await fetch(url + path, { method: 'POST', body, signal: AbortSignal.timeout(60_000) });
  const text = await response.text();
  expect(response.status).toBeLessThan(500);
  if (response.status !== 200) expect(errorShape.parse(JSON.parse(text))).toEqual(JSON.parse(text));
  return response.status;
}
