import { type Options, optionsSchema } from '@hearth/protocol-types/runner/options';
import type { Message } from '../generation/message.js';
import { defaultMaxTokens, defaultSampling, type Sampling } from '../generation/sampling.js';
import { toSeed } from '../generation/to-seed.js';
import type { ModelEntry, StoredMessage } from '../models/model-entry.js';
import { stopStrings } from './stop-strings.js';

/** How a generation runs where a request says nothing itself. */
export interface RunDefaults {
  readonly sampling: Sampling;
  /** `undefined` is "until the context is full". */
  readonly maxTokens: number | undefined;
  readonly stop: readonly string[];
  readonly contextLength?: number;
}

/** What a request gets where it says nothing itself: the model's own settings, and below them the server's. */
export interface ModelDefaults extends RunDefaults {
  /** Stands first when the conversation has no system message of its own. */
  readonly system?: string;
  /** Turns that stand before every conversation. */
  readonly messages: readonly Message[];
}

const serverDefaults: RunDefaults = { sampling: defaultSampling, maxTokens: defaultMaxTokens, stop: [] };

export function modelDefaults(model: ModelEntry | undefined): ModelDefaults {
  return {
    ...applyOptions(serverDefaults, soundOptions(model?.parameters ?? {})),
    ...(model?.system ? { system: model.system } : {}),
    messages: (model?.messages ?? []).flatMap(storedMessage),
  };
}

/** Options in the runner's names, of a model or of a request, laid over what holds without them. */
export function applyOptions(defaults: RunDefaults, options: Options): RunDefaults {
  const { sampling } = defaults;
  const contextLength = options.num_ctx && options.num_ctx > 0 ? options.num_ctx : defaults.contextLength;
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
      seed: options.seed == null ? sampling.seed : seedOrRandom(options.seed),
    },
    maxTokens: options.num_predict == null ? defaults.maxTokens : tokenLimit(options.num_predict),
    stop: options.stop ? stopStrings(options.stop) : defaults.stop,
    ...(contextLength === undefined ? {} : { contextLength }),
  };
}

/** Below zero is how this world spells "no limit". */
export function tokenLimit(value: number | null | undefined): number | undefined {
  return value == null || value < 0 ? undefined : value;
}

/** Below zero is how this world spells "random". */
export function seedOrRandom(value: number | null | undefined): number | undefined {
  return value == null || value < 0 ? undefined : toSeed(value);
}

/** A model made elsewhere may carry a setting of the wrong kind; it is served all the same, without that one. */
function soundOptions(parameters: ModelEntry['parameters']): Options {
  const sound = Object.entries(parameters).map(([name, value]) => {
    const single = optionsSchema.safeParse({ [name]: name === 'stop' ? [value].flat() : value });
    return single.success ? single.data : {};
  });
  return Object.assign({}, ...sound) as Options;
}

function storedMessage({ role, content }: StoredMessage): Message[] {
  return role === 'system' || role === 'user' || role === 'assistant' ? [{ role, content }] : [];
}
