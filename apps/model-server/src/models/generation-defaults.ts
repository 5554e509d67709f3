import { type Options, optionsSchema } from '@hearth/protocol-types/runner/options';
import { defaultMaxTokens, defaultSampling, type Sampling } from '../generation/sampling.js';
import { toSeed } from '../generation/to-seed.js';
import type { ModelEntry } from './model-entry.js';

/** What a request gets where it says nothing itself. */
export interface GenerationDefaults {
  readonly sampling: Sampling;
  /** `undefined` is "until the context is full". */
  readonly maxTokens: number | undefined;
  readonly stop: readonly string[];
  readonly contextLength: number | undefined;
}

/** The defaults of the specification, and over them those that the model's maker chose. */
export function generationDefaults(entry: Pick<ModelEntry, 'parameters'>): GenerationDefaults {
  return applyOptions(
    { sampling: defaultSampling, maxTokens: defaultMaxTokens, stop: [], contextLength: undefined },
    soundOptions(entry.parameters),
  );
}

/** Options in the runner's names, from a model or from a request, laid over what holds without them. */
export function applyOptions(defaults: GenerationDefaults, options: Options): GenerationDefaults {
  const { sampling } = defaults;
  const { num_predict, seed } = options;
  return {
    sampling: {
      ...sampling,
      temperature: Math.max(0, options.temperature ?? sampling.temperature),
      topP: options.top_p ?? sampling.topP,
      topK: Math.max(0, options.top_k ?? sampling.topK),
      minP: options.min_p ?? sampling.minP,
      repeatPenalty: options.repeat_penalty ?? sampling.repeatPenalty,
      repeatLastN: options.repeat_last_n ?? sampling.repeatLastN,
      frequencyPenalty: options.frequency_penalty ?? sampling.frequencyPenalty,
      presencePenalty: options.presence_penalty ?? sampling.presencePenalty,
      // Negative asks for a random one.
      seed: typeof seed !== 'number' ? sampling.seed : seed < 0 ? undefined : toSeed(seed),
    },
    maxTokens:
      typeof num_predict !== 'number' ? defaults.maxTokens : num_predict < 0 ? undefined : num_predict,
    stop: options.stop ?? defaults.stop,
    contextLength: options.num_ctx ?? defaults.contextLength,
  };
}

/** A model that was made elsewhere may hold options of a wrong kind: those are left out, the others kept. */
function soundOptions(parameters: Readonly<Record<string, unknown>>): Options {
  const sound = Object.entries(parameters).map(([name, value]) => {
    const single = optionsSchema.safeParse({ [name]: name === 'stop' ? [value].flat() : value });
    return single.success ? single.data : {};
  });
  return Object.assign({}, ...sound) as Options;
}
