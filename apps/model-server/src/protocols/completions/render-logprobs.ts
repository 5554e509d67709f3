import type { TokenLogprob as WireLogprob } from '@hearth/protocol-types/completions/logprobs';
import type { TokenAlternative, TokenLogprob } from '../../generation/generation-event.js';

export function renderLogprobs(logprobs: readonly TokenLogprob[]): WireLogprob[] {
  return logprobs.map((logprob) => ({ ...alternative(logprob), top_logprobs: logprob.top.map(alternative) }));
}

function alternative({ token, logprob, bytes }: TokenAlternative) {
  return { token, logprob: finite(logprob), bytes: [...bytes] };
}

/** JSON has no minus infinity; the hosted API writes a token that could not come as -9999. */
export function finite(logprob: number): number {
  return Number.isFinite(logprob) ? logprob : -9999;
}
