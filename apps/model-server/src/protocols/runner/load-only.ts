import type { KeepAlive } from '../../generation/generation-request.js';
import type { TextGenerator } from '../../generation/text-generator.js';
import type { ModelEntry } from '../../models/model-entry.js';

export interface LoadOnly {
  readonly model: ModelEntry;
  readonly keepAlive: KeepAlive | undefined;
  readonly contextLength: number | undefined;
}

/** A request without a prompt is about the model itself: load it, or unload it where it shall stay for 0 seconds. */
export async function loadOrUnload(
  generator: TextGenerator,
  { model, keepAlive, contextLength }: LoadOnly,
  signal: AbortSignal,
): Promise<'load' | 'unload'> {
  if (keepAlive !== undefined && keepAlive !== 'forever' && keepAlive.seconds === 0) {
    const unloading = generator.unload(model.name);
    const busy = generator.listLoaded().some((loaded) => loaded.model === model.name && loaded.busy);
    // A busy model ends its work first, and the caller is not kept waiting for that.
    if (busy) unloading.catch(() => undefined);
    else await unloading;
    return 'unload';
  }
  await generator.load(
    {
      model: model.name,
      ...(keepAlive === undefined ? {} : { keepAlive }),
      ...(contextLength === undefined ? {} : { contextLength }),
    },
    signal,
  );
  return 'load';
}
