import type { Logger } from '@hearth/service-kit/logger';
import { GenerationError } from '../../generation/generation-error.js';
import type { KeepAlive } from '../../generation/generation-request.js';
import type { ModelFile } from '../../generation/model-source.js';
import type { LoadedModel } from '../../generation/text-generator.js';
import type { EngineSettings } from '../engine-settings.js';
import type { LoadOffer, LoadPlan } from '../ipc/child-message.js';
import { availableMemory } from '../memory/available-memory.js';
import { chooseOffer, leastBytes, memoryOf } from '../memory/choose-offer.js';
import type { EngineProcess } from '../process/engine-process.js';
import type { ThreadBudget } from '../threads/thread-budget.js';
import { LoadFailures } from './load-failures.js';
import { ModelEntry } from './model-entry.js';
import { ModelStarter } from './model-starter.js';
import { Signal, throwIfCancelled, untilAborted } from './signal.js';

export interface AcquireOptions {
  readonly keepAlive: KeepAlive | undefined;
  readonly contextLength: number | undefined;
  readonly signal: AbortSignal;
}

/** A loaded model in use; it stays loaded until it is given back. */
export interface ModelLease {
  readonly process: EngineProcess;
  readonly loadDurationMs: number;
  /** Gives the model back; `served` when it has done its work, which ends any bad reputation. */
  release(outcome: 'served' | 'failed'): void;
}

/** The loaded models: loads on demand, once for all who wait, makes room by unloading idle ones, never busy ones. */
export class ModelPool {
  readonly #settings: EngineSettings;
  readonly #starter: ModelStarter;
  readonly #logger: Logger;
  readonly #entries = new Map<string, ModelEntry>();
  readonly #failures = new LoadFailures();
  /** Fires whenever a model became idle or went away. */
  readonly #changed = new Signal();
  #loadQueue: Promise<unknown> = Promise.resolve();
  readonly #closing = new AbortController();
  restarts = 0;

  constructor(settings: EngineSettings, threads: ThreadBudget, logger: Logger) {
    this.#settings = settings;
    this.#starter = new ModelStarter(settings, threads, logger);
    this.#logger = logger;
  }

  get processes(): EngineProcess[] {
    return [...this.#entries.values()].flatMap((entry) => entry.process ?? []);
  }

  async acquire(file: ModelFile, options: AcquireOptions): Promise<ModelLease> {
    for (;;) {
      throwIfCancelled(options.signal);
      this.#throwIfClosed();
      const entry = this.#entries.get(file.name) ?? this.#open(file, options);
      if (entry.stopping) {
        await untilAborted(entry.stopping, options.signal);
        continue;
      }
      if (entry.draining || !entry.serves(file, options.contextLength)) {
        entry.draining = true;
        if (entry.idle) await this.#stop(entry);
        else await untilAborted(this.#changed.next(), options.signal);
        continue;
      }
      const lease = await this.#use(entry, options);
      if (lease) return lease;
    }
  }

  async unload(name: string): Promise<boolean> {
    const entry = this.#entries.get(name);
    if (!entry) return false;
    entry.draining = true;
    while (this.#entries.get(name) === entry && !entry.idle && !entry.stopping) await this.#changed.next();
    if (this.#entries.get(name) === entry) await this.#stop(entry);
    return true;
  }

  list(): LoadedModel[] {
    return [...this.#entries.values()].flatMap((entry) => {
      if (!entry.process || entry.stopping) return [];
      const { facts } = entry.process;
      return {
        model: entry.file.name,
        sizeBytes: facts.modelBytes + facts.contextBytes + facts.vramBytes,
        sizeVramBytes: facts.vramBytes,
        contextLength: facts.contextLength,
        expiresAt: this.#expiryOf(entry),
        busy: entry.users > 0,
      };
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#changed.fire();
    await Promise.all(
      [...this.#entries.values()].map(async (entry) => {
        await entry.loading?.catch(() => undefined);
        await this.#stop(entry);
      }),
    );
  }

  #throwIfClosed(): void {
    if (this.#closing.signal.aborted) throw new GenerationError('stopping', 'the server is stopping');
  }

  /** All who waited for this load may have gone while it waited for room: nobody is unloaded for it then. */
  #throwIfUnwanted(entry: ModelEntry): void {
    this.#throwIfClosed();
    if (entry.users === 0) throw new GenerationError('cancelled', 'nobody waits for the model any more');
  }

  #expiryOf(entry: ModelEntry): Date | undefined {
    if (entry.keepAlive === 'forever') return undefined;
    return new Date(entry.expiresAt ?? Date.now() + entry.keepAlive.seconds * 1000);
  }

  #open(file: ModelFile, options: AcquireOptions): ModelEntry {
    const entry = new ModelEntry(file, options.keepAlive ?? this.#settings.keepAlive);
    this.#entries.set(file.name, entry);
    // One load at a time: each must see the memory that the one before has taken.
    const loading = this.#loadQueue.then(() => this.#load(entry, options.contextLength));
    this.#loadQueue = loading.catch(() => undefined);
    entry.loading = loading;
    return entry;
  }

  /** Waits for the load and takes a share of the model; undefined if it went away in between. */
  async #use(entry: ModelEntry, options: AcquireOptions): Promise<ModelLease | undefined> {
    const waitedForLoad = entry.process === undefined;
    entry.users += 1;
    entry.stopKeepAlive();
    if (options.keepAlive !== undefined) entry.keepAlive = options.keepAlive;
    let held = true;
    const release = (outcome: 'served' | 'failed'): void => {
      if (!held) return;
      held = false;
      if (outcome === 'served') this.#failures.clear(entry.file.name);
      this.#release(entry);
    };
    try {
      const process =
        entry.process ?? (await untilAborted(entry.loading as Promise<EngineProcess>, options.signal));
      if (this.#entries.get(entry.file.name) !== entry || !entry.serves(entry.file, options.contextLength)) {
        release('failed');
        return undefined;
      }
      return { process, loadDurationMs: waitedForLoad ? entry.loadDurationMs : 0, release };
    } catch (error) {
      release('failed');
      throw error;
    }
  }

  #release(entry: ModelEntry): void {
    entry.users -= 1;
    if (entry.users > 0 || !entry.process) return;
    if (this.#entries.get(entry.file.name) === entry) {
      const { keepAlive } = entry;
      if (keepAlive !== 'forever' && keepAlive.seconds === 0) void this.#stop(entry);
      else entry.startKeepAlive(() => void this.#expire(entry));
    }
    this.#changed.fire();
  }

  async #expire(entry: ModelEntry): Promise<void> {
    if (entry.idle) await this.#stop(entry);
  }

  #stop(entry: ModelEntry): Promise<void> {
    entry.stopKeepAlive();
    entry.stopping ??= (async () => {
      await entry.process?.stop();
      this.#remove(entry);
    })();
    return entry.stopping;
  }

  #remove(entry: ModelEntry): void {
    entry.stopKeepAlive();
    if (this.#entries.get(entry.file.name) === entry) this.#entries.delete(entry.file.name);
    this.#changed.fire();
  }

  async #load(entry: ModelEntry, wantedContext: number | undefined): Promise<EngineProcess> {
    const startedAt = performance.now();
    try {
      this.#throwIfClosed();
      this.#failures.check(entry.file.name, entry.file.path);
      await this.#makeRoomByCount(entry);
      entry.process = await this.#start(entry, wantedContext);
      entry.loadDurationMs = performance.now() - startedAt;
      this.#tellLoaded(entry.process, entry.loadDurationMs);
      if (entry.users === 0) entry.startKeepAlive(() => void this.#expire(entry));
      this.#changed.fire();
      return entry.process;
    } catch (error) {
      this.#remove(entry);
      throw error;
    }
  }

  async #start(entry: ModelEntry, contextLength: number | undefined): Promise<EngineProcess> {
    const { file } = entry;
    try {
      return await this.#starter.start({
        file,
        contextLength,
        choose: (plan) => this.#makeRoomForBytes(entry, plan),
        onExit: () => this.#onExit(entry),
        signal: this.#closing.signal,
      });
    } catch (error) {
      if (error instanceof GenerationError && isModelsFault(error)) {
        this.#failures.record(file.name, file.path, error);
      }
      throw error;
    }
  }

  #tellLoaded({ name, facts }: EngineProcess, durationMs: number): void {
    this.#logger.info(
      {
        model: name,
        context_length: facts.contextLength,
        sequences: facts.sequences,
        gpu_layers: facts.gpuLayers,
        vram_bytes: facts.vramBytes,
        duration_ms: Math.round(durationMs),
      },
      `loaded ${name} ${facts.gpuLayers > 0 ? 'on the GPU' : 'on the CPU'}`,
    );
  }

  #onExit(entry: ModelEntry): void {
    // While it loads, whoever started it hears of its end.
    if (entry.process === undefined) return;
    this.#remove(entry);
    if (entry.stopping) return;
    this.restarts += 1;
    const error = new GenerationError(
      'engine-crashed',
      `the engine of model "${entry.file.name}" keeps crashing`,
    );
    this.#failures.record(entry.file.name, entry.file.path, error);
  }

  async #makeRoomByCount(entry: ModelEntry): Promise<void> {
    for (;;) {
      this.#throwIfUnwanted(entry);
      const others = this.#others(entry);
      if (others.length < this.#settings.maxLoadedModels) return;
      await this.#evictOrWait(others);
    }
  }

  async #makeRoomForBytes(entry: ModelEntry, plan: LoadPlan): Promise<LoadOffer | 'plan-again'> {
    for (;;) {
      this.#throwIfUnwanted(entry);
      const others = this.#others(entry);
      if (plan.wantsGpuRoom && (await this.#evictFromGpu(others))) return 'plan-again';
      const available = this.#availableBytes(others);
      const offer = chooseOffer(plan, available);
      if (offer) {
        entry.reservedBytes = memoryOf(offer);
        return offer;
      }
      const withoutOthers = available + others.reduce((sum, other) => sum + other.reservedBytes, 0);
      if (leastBytes(plan) > withoutOthers)
        throw doesNotFit(entry.file.name, leastBytes(plan), withoutOthers);
      await this.#evictOrWait(others);
    }
  }

  #others(entry: ModelEntry): ModelEntry[] {
    return [...this.#entries.values()].filter((other) => other !== entry && other.process !== undefined);
  }

  /** Weights are mapped files: the system counts them as free, but the models in use need them. */
  #availableBytes(others: readonly ModelEntry[]): number {
    const mapped = others.reduce((sum, other) => sum + (other.process?.facts.modelBytes ?? 0), 0);
    const machine = availableMemory() - mapped;
    const { memoryLimitBytes } = this.#settings;
    if (memoryLimitBytes === undefined) return machine;
    const reserved = others.reduce((sum, other) => sum + other.reservedBytes, 0);
    return Math.min(machine, memoryLimitBytes - reserved);
  }

  async #evictOrWait(others: readonly ModelEntry[]): Promise<void> {
    if (!(await this.#evictOldest(others))) await this.#changed.next();
  }

  /** Nobody waits for room on the GPU: what is busy there stays, and the new one has what is left. */
  async #evictFromGpu(others: readonly ModelEntry[]): Promise<boolean> {
    return await this.#evictOldest(others.filter((other) => (other.process?.facts.vramBytes ?? 0) > 0));
  }

  /** Whether one of them has gone: one that was leaving anyway, or the one that was idle for longest. */
  async #evictOldest(others: readonly ModelEntry[]): Promise<boolean> {
    const leaving = others.find((other) => other.stopping);
    const [oldest] = others
      .filter((other) => other.idle)
      .sort((left, right) => left.lastUsed - right.lastUsed);
    if (leaving) await leaving.stopping;
    else if (oldest) await this.#stop(oldest);
    return leaving !== undefined || oldest !== undefined;
  }
}

function isModelsFault(error: GenerationError): boolean {
  return error.code === 'model-unloadable' || error.code === 'engine-crashed';
}

function doesNotFit(name: string, needed: number, available: number): GenerationError {
  const inMiB = (bytes: number): number => Math.max(0, Math.round(bytes / 2 ** 20));
  return new GenerationError(
    'does-not-fit',
    `model "${name}" needs about ${inMiB(needed)} MiB of memory, but only ${inMiB(available)} MiB are available`,
    { facts: { neededBytes: needed, availableBytes: Math.max(0, available) } },
  );
}
