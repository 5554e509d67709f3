import type { ChatRequest } from '@hearth/protocol-types/completions/chat-request';
import type { Sampling } from '../../generation/sampling.js';
import { seedOrRandom } from '../../http/model-defaults.js';
import { refuse, reject } from './refuse.js';

export type SamplingBody = Pick<
  ChatRequest,
  | 'temperature'
  | 'top_p'
  | 'top_k'
  | 'min_p'
  | 'typical_p'
  | 'repeat_penalty'
  | 'repetition_penalty'
  | 'frequency_penalty'
  | 'presence_penalty'
  | 'seed'
  | 'logit_bias'
  | 'options'
>;

/** The family's own fields, laid over what holds without them. */
export function parseSampling(body: SamplingBody, defaults: Sampling): Sampling {
  refuseTypicalSampling('typical_p', body.typical_p);
  refuseTypicalSampling('options.typical_p', body.options?.typical_p);
  return {
    temperature: body.temperature ?? defaults.temperature,
    topP: body.top_p ?? defaults.topP,
    topK: body.top_k == null ? defaults.topK : Math.max(0, body.top_k),
    minP: body.min_p ?? defaults.minP,
    repeatPenalty: repeatPenalty(body) ?? defaults.repeatPenalty,
    repeatLastN: defaults.repeatLastN,
    frequencyPenalty: body.frequency_penalty ?? defaults.frequencyPenalty,
    presencePenalty: body.presence_penalty ?? defaults.presencePenalty,
    seed: body.seed == null ? defaults.seed : seedOrRandom(body.seed),
    logitBias: logitBias(body.logit_bias),
  };
}

/**
 * The multiplicative penalty. A request that sets the additive `frequency_penalty` means that one, and only that one:
 * clients send 0 for "no penalty at all".
 */
function repeatPenalty(body: SamplingBody): number | undefined {
  const spellings = {
    repeat_penalty: body.repeat_penalty,
    repetition_penalty: body.repetition_penalty,
    'options.repeat_penalty': body.options?.repeat_penalty,
  };
  for (const [param, penalty] of Object.entries(spellings)) {
    if (penalty == null) continue;
    if (penalty <= 0) reject(param, 'must be greater than 0; 1 is off');
    return penalty;
  }
  return body.frequency_penalty == null ? undefined : 1;
}

function logitBias(biases: SamplingBody['logit_bias']): Sampling['logitBias'] {
  const result: Record<number, number> = {};
  for (const [token, bias] of Object.entries(biases ?? {})) {
    if (!/^\d{1,9}$/.test(token)) reject('logit_bias', 'must have token ids as its keys');
    result[Number(token)] = bias;
  }
  return result;
}

function refuseTypicalSampling(param: string, value: number | null | undefined): void {
  if (value != null && value !== 1) refuse(param, 'is not supported; leave it out or send 1, which is off');
}
