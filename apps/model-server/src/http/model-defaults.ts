import { optionsSchema } from '@hearth/protocol-types/runner/options';
import type { Message } from '../generation/message.js';
import { defaultMaxTokens, defaultSampling, type Sampling } from '../generation/sampling.js';
import type { ModelEntry, StoredMessage } from '../models/model-entry.js';

/** What a request gets where it says nothing itself: the model's own settings, and below them the server's. */
export interface ModelDefaults {
  readonly sampling: Sampling;
  readonly maxTokens: number | undefined;
  readonly stop: readonly string[];
  readonly contextLength?: number;
  /** Stands first when the conversation has no system message of its own. */
  readonly system?: string;
  /** Turns that stand before every conversation. */
  readonly messages: readonly Message[];
}

export function modelDefaults(model: ModelEntry | undefined): ModelDefaults {
  const parsed = optionsSchema.safeParse(model?.parameters ?? {});
  // A model made elsewhere may carry a setting of the wrong kind; it is served all the same, with our defaults.
  const own = parsed.success ? parsed.data : {};
  return {
    sampling: {
      ...defaultSampling,
      temperature: own.temperature ?? defaultSampling.temperature,
      topP: own.top_p ?? defaultSampling.topP,
      topK: own.top_k ?? defaultSampling.topK,
      minP: own.min_p ?? defaultSampling.minP,
      repeatPenalty: own.repeat_penalty ?? defaultSampling.repeatPenalty,
      repeatLastN: own.repeat_last_n ?? defaultSampling.repeatLastN,
      frequencyPenalty: own.frequency_penalty ?? defaultSampling.frequencyPenalty,
      presencePenalty: own.presence_penalty ?? defaultSampling.presencePenalty,
      seed: seedOrRandom(own.seed),
    },
    maxTokens: tokenLimit(own.num_predict) ?? (own.num_predict == null ? defaultMaxTokens : undefined),
    stop: own.stop ?? [],
    ...(own.num_ctx == null || own.num_ctx <= 0 ? {} : { contextLength: own.num_ctx }),
    ...(model?.system ? { system: model.system } : {}),
    messages: (model?.messages ?? []).flatMap(storedMessage),
  };
}

/** Below zero is how this world spells "no limit". */
export function tokenLimit(value: number | null | undefined): number | undefined {
  return value == null || value < 0 ? undefined : value;
}

/** Below zero is how this world spells "random". */
export function seedOrRandom(value: number | null | undefined): number | undefined {
  return value == null || value < 0 ? undefined : value;
}

function storedMessage({ role, content }: StoredMessage): Message[] {
  return role === 'system' || role === 'user' || role === 'assistant' ? [{ role, content }] : [];
}
