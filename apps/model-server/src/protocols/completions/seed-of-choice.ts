import type { GenerationRequest } from '../../generation/generation-request.js';

/** The same request for a further choice: with a seed of its own, else all choices would be the same text. */
export function seedOfChoice(request: GenerationRequest, choice: number): GenerationRequest {
  const { seed } = request.sampling;
  if (seed === undefined) return request;
  return { ...request, sampling: { ...request.sampling, seed: seed + choice } };
}
