import { choiceSetting, integerSetting } from '@hearth/service-kit/setting-schemas';
import { defineSettings, type SettingValues } from '@hearth/service-kit/settings';
import { z } from 'zod';
import { defaultEngineSettings, type EngineSettings } from './engine/engine-settings.js';
import type { KeepAlive } from './generation/generation-request.js';

const secondsIn: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** A number of seconds, or one with a unit; negative means for ever. */
const keepAliveSetting = z
  .string()
  .trim()
  .regex(
    /^-?\d{1,9}[smh]?$/,
    'must be a duration such as 300, 90s, 5m or 24h; negative keeps models for ever',
  )
  .transform((text): KeepAlive => {
    const amount = Number.parseInt(text, 10);
    return amount < 0 ? 'forever' : { seconds: amount * (secondsIn[text.at(-1) ?? ''] ?? 1) };
  })
  .default(defaultEngineSettings.keepAlive);

const optionalCount = (limits: { min: number; max: number }) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= limits.min && value <= limits.max, {
      message: `must be between ${limits.min} and ${limits.max}`,
    })
    .optional();

/** The settings of the engine: how much of the machine models may use, and for how long. */
export const engineFlags = defineSettings({
  parallel: {
    env: 'HEARTH_PARALLEL',
    flag: '--parallel <count>',
    description: 'requests that each model works on at the same time; fewer where memory is short',
    defaultText: '4',
    schema: integerSetting({ min: 1, max: 64, fallback: defaultEngineSettings.parallel }),
  },
  contextLength: {
    env: 'HEARTH_CONTEXT_LENGTH',
    flag: '--context-length <tokens>',
    description: 'context of each of these requests',
    defaultText: 'from the model and the free memory',
    schema: optionalCount({ min: 64, max: 10_000_000 }),
  },
  threads: {
    env: 'HEARTH_THREADS',
    flag: '--threads <count>',
    description: 'most threads that all models together compute with',
    defaultText: 'the cores this process may use',
    schema: optionalCount({ min: 1, max: 1024 }),
  },
  maxQueue: {
    env: 'HEARTH_MAX_QUEUE',
    flag: '--max-queue <count>',
    description: 'requests that may wait, over all models; more are refused with a hint when to retry',
    defaultText: '512',
    schema: integerSetting({ min: 0, max: 100_000, fallback: defaultEngineSettings.maxQueue }),
  },
  maxLoadedModels: {
    env: 'HEARTH_MAX_LOADED_MODELS',
    flag: '--max-loaded-models <count>',
    description: 'models in memory at the same time',
    defaultText: '3',
    schema: integerSetting({ min: 1, max: 100, fallback: defaultEngineSettings.maxLoadedModels }),
  },
  keepAlive: {
    env: 'HEARTH_KEEP_ALIVE',
    flag: '--keep-alive <duration>',
    description: 'how long an unused model stays in memory (90s, 5m, 24h; 0 not at all, negative for ever)',
    defaultText: '5m',
    schema: keepAliveSetting,
  },
  memoryLimitMegabytes: {
    env: 'HEARTH_MEMORY_LIMIT_MB',
    flag: '--memory-limit-mb <megabytes>',
    description: 'most memory that all models together may take',
    defaultText: 'what the machine or the container has',
    schema: optionalCount({ min: 1, max: 999_999_999 }),
  },
  gpu: {
    env: 'HEARTH_GPU',
    flag: '--gpu <mode>',
    description: 'auto uses a GPU where a build for it is installed, off never does',
    defaultText: 'auto',
    schema: choiceSetting(['auto', 'off'], defaultEngineSettings.gpu),
  },
});

export function engineSettingsOf(config: SettingValues<typeof engineFlags>): EngineSettings {
  const { parallel, contextLength, threads, maxQueue, maxLoadedModels, keepAlive, gpu } = config;
  const { memoryLimitMegabytes } = config;
  return {
    parallel,
    maxQueue,
    maxLoadedModels,
    keepAlive,
    gpu,
    unreadReplyMs: defaultEngineSettings.unreadReplyMs,
    ...(contextLength === undefined ? {} : { contextLength }),
    ...(threads === undefined ? {} : { threads }),
    ...(memoryLimitMegabytes === undefined ? {} : { memoryLimitBytes: memoryLimitMegabytes * 2 ** 20 }),
  };
}
