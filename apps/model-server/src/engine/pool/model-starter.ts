import type { Logger } from '@hearth/service-kit/logger';
import { GenerationError } from '../../generation/generation-error.js';
import type { ModelFile } from '../../generation/model-source.js';
import type { EngineSettings } from '../engine-settings.js';
import type { LoadOffer, LoadPlan } from '../ipc/child-message.js';
import { childEntry } from '../process/child-entry.js';
import { EngineProcess } from '../process/engine-process.js';
import { GpuFailure } from '../process/gpu-failure.js';
import type { ThreadBudget } from '../threads/thread-budget.js';
import { hasGpuDevice } from './has-gpu-device.js';
import { provenBuild } from './proven-build.js';

export interface ModelStartOptions {
  readonly file: ModelFile;
  readonly contextLength: number | undefined;
  readonly choose: (plan: LoadPlan) => Promise<LoadOffer | 'plan-again'>;
  readonly onExit: () => void;
  readonly signal: AbortSignal;
}

/** Starts engine processes: on the GPU where there is one that works and has room, else on the CPU. */
export class ModelStarter {
  readonly #settings: EngineSettings;
  readonly #threads: ThreadBudget;
  readonly #logger: Logger;
  #gpu: EngineSettings['gpu'];

  constructor(settings: EngineSettings, threads: ThreadBudget, logger: Logger) {
    this.#settings = settings;
    this.#threads = threads;
    this.#logger = logger;
    this.#gpu = settings.gpu;
  }

  async start(options: ModelStartOptions): Promise<EngineProcess> {
    if (this.#gpu === 'off') return await this.#startWith('off', options);
    // Before that, what does not fit is main memory.
    let isLoading = false;
    const choose = async (plan: LoadPlan) => {
      // Where no GPU was found there is none for the next model either.
      if (plan.computesOn === 'cpu') this.#leaveGpuUnused();
      const offer = await options.choose(plan);
      isLoading = plan.computesOn === 'gpu' && offer !== 'plan-again';
      return offer;
    };
    try {
      return await this.#startWith('auto', { ...options, choose });
    } catch (error) {
      const lacksRoom = isLoading && error instanceof GenerationError && error.code === 'does-not-fit';
      if (lacksRoom || (error instanceof GpuFailure && error.isForLackOfMemory)) {
        this.#goWithoutGpu(options.file, error);
      } else if (error instanceof GpuFailure) this.#giveUpGpu(error);
      else throw error;
      return await this.#startWith('off', options);
    }
  }

  #leaveGpuUnused(): void {
    this.#gpu = 'off';
    if (!hasGpuDevice()) return;
    this.#logger.warn(
      'this machine has a GPU, but models run on the CPU: "hearth doctor" says why, --gpu off silences this',
    );
  }

  #giveUpGpu({ message: reason }: GpuFailure): void {
    this.#logger.warn(
      { reason },
      'the GPU cannot be used, models run on the CPU until the server is started again: update its driver, or silence this with --gpu off',
    );
    this.#gpu = 'off';
  }

  #goWithoutGpu({ name }: ModelFile, { message: reason }: Error): void {
    this.#logger.warn(
      { model: name, reason },
      'the GPU has too little memory for the model now, it runs on the CPU',
    );
  }

  async #startWith(gpu: EngineSettings['gpu'], options: ModelStartOptions): Promise<EngineProcess> {
    const { file, contextLength = this.#settings.contextLength, choose, onExit, signal } = options;
    return await EngineProcess.start({
      entry: this.#settings.childEntry ?? childEntry(),
      name: file.name,
      model: {
        path: file.path,
        parallel: this.#settings.parallel,
        gpu,
        cpuBuildIsProven: gpu === 'off' && provenBuild.isCpu,
        maxThreads: this.#threads.total,
        unreadReplyMs: this.#settings.unreadReplyMs,
        ...(file.chatTemplate === undefined ? {} : { chatTemplate: file.chatTemplate }),
        ...(contextLength === undefined ? {} : { contextLength }),
      },
      threads: this.#threads,
      logger: this.#logger,
      signal,
      choose: (plan) => {
        provenBuild.record(plan.computesOn);
        return choose(plan);
      },
      onExit,
    });
  }
}
