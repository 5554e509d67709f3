import path from 'node:path';
import { createLogger } from '@hearth/service-kit/logger';
import type { ModelLibrary } from '../src/models/model-library.js';
import { type ModelLibraryOptions, openModelLibrary } from '../src/models/open-model-library.js';
import type { LibraryProgress } from '../src/models/pull/progress.js';

export const emberPath = path.resolve(import.meta.dirname, '../../../models/ember/ember.gguf');

/** A thread runs what was built: it knows nothing of the transformer of the tests. */
export const threadEntry = new URL('../dist/models/transfer/download-thread.js', import.meta.url);

/** Gives a connection up soon: only for tests that stall one, because a busy machine stands still for as long. */
export const impatient = { stallMs: 400, takeOverAfterMs: 200 };

/** A library on a folder of the test's own that tries again after milliseconds where the real one waits seconds. */
export function openTestLibrary(
  storeFolder: string,
  options: Partial<ModelLibraryOptions> = {},
): ModelLibrary {
  return openModelLibrary({
    storeFolder,
    modelFolders: [],
    bundledModelPath: emberPath,
    logger: createLogger({ name: 'test', level: 'silent', format: 'json' }),
    ...options,
    transfer: {
      retries: { maxFailures: 4, firstDelayMs: 2, maxDelayMs: 20 },
      connections: 4,
      stallMs: 30_000,
      takeOverAfterMs: 30_000,
      threadEntry,
      ...options.transfer,
    },
  });
}

export interface PullOutcome {
  readonly progress: readonly LibraryProgress[];
  readonly statuses: readonly string[];
}

export async function pullWith(
  library: ModelLibrary,
  name: string,
  options: { readonly signal?: AbortSignal; readonly insecure?: boolean } = {},
): Promise<PullOutcome> {
  const progress: LibraryProgress[] = [];
  await library.pull(name, {
    insecure: options.insecure ?? true,
    signal: options.signal ?? new AbortController().signal,
    report: (one) => progress.push(one),
  });
  const statuses = progress.map((one) => one.status).filter((status, at, all) => status !== all[at - 1]);
  return { progress, statuses };
}
