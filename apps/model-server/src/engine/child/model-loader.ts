import { setTimeout } from 'node:timers/promises';
import {
  GgufInsights,
  getLlama,
  InsufficientMemoryError,
  type Llama,
  type LlamaContext,
  LlamaLogLevel,
  type LlamaModel,
  readGgufFileInfo,
} from 'node-llama-cpp';
import { GenerationError } from '../../generation/generation-error.js';
import type { ChildMessage, LoadOffer, LoadPlan, ModelFacts } from '../ipc/child-message.js';
import type { ModelStart } from '../ipc/parent-message.js';
import { ascendingSequences } from './batch-order.js';
import { unloadable } from './check-gguf-file.js';
import { type MemoryEstimates, offerOnBoth, offerOnGpu, offersInMemory } from './load-offers.js';
import { leastContext, type Room, roomLadder } from './room-ladder.js';
import { withoutBinaryTest } from './without-binary-test.js';

const batchSize = 512;

/** llama.cpp's own words for a failure arrive a moment after the failure itself. */
const complaintsDelayMs = 200;

export interface LoadedParts {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly context: LlamaContext;
  readonly facts: ModelFacts;
  readonly batchSize: number;
  readonly unreadReplyMs: number;
}

/** A GPU build that does not fit the driver loads a model without complaint and dies at the first step. */
async function proveItComputes(model: LlamaModel, context: LlamaContext): Promise<void> {
  const sequence = context.getSequence();
  await sequence.evaluateWithoutGeneratingNewTokens(model.tokenize('.'));
  await sequence.clearHistory();
  sequence.dispose();
}

function estimatesFrom(insights: GgufInsights): MemoryEstimates {
  return {
    model: (gpuLayers) => insights.estimateModelResourceRequirementsV2({ gpuLayers }),
    context: ({ contextLength, sequences }, modelGpuLayers) =>
      insights.estimateContextResourceRequirementsV2({
        contextSize: contextLength,
        modelGpuLayers,
        sequences,
        batchSize,
        flashAttention: 'auto',
      }),
  };
}

/** Loads one model in two moves: first say what it would cost, then load it with the context the server chose. */
export class ModelLoader {
  readonly #start: ModelStart;
  readonly #complaints: string[] = [];
  readonly #send: (message: ChildMessage) => void;
  #llama: Llama | undefined;

  constructor(start: ModelStart, send: (message: ChildMessage) => void) {
    this.#start = start;
    this.#send = send;
  }

  async plan(): Promise<LoadPlan> {
    const llama = await this.#openLlama();
    try {
      const insights = await this.#readInsights(llama);
      const trainContextLength = insights.trainContextSize ?? leastContext;
      const { parallel, contextLength: wantedContext } = this.#start;
      const rooms = roomLadder({ parallel, trainContextLength, wantedContext });
      const estimates = estimatesFrom(insights);
      if (llama.gpu === false) {
        const offers = await offersInMemory(rooms, estimates);
        return { computesOn: 'cpu', trainContextLength, offers, wantsGpuRoom: false };
      }
      const freeVram = (await llama.getVramState()).free - llama.vramPaddingSize;
      const onGpu = await offerOnGpu(rooms, insights.totalLayers, freeVram, estimates);
      if (onGpu) return { computesOn: 'gpu', trainContextLength, offers: [onGpu], wantsGpuRoom: false };
      const least = rooms.at(-1) as Room;
      const onBoth = await offerOnBoth(least, insights.totalLayers, freeVram, estimates);
      const offers = [...(onBoth ? [onBoth] : []), ...(await offersInMemory(rooms, estimates))];
      return { computesOn: 'gpu', trainContextLength, offers, wantsGpuRoom: true };
    } catch (error) {
      throw await this.#unloadable(error);
    }
  }

  async #readInsights(llama: Llama): Promise<GgufInsights> {
    const options = { sourceType: 'filesystem', logWarnings: false } as const;
    return await GgufInsights.from(await readGgufFileInfo(this.#start.path, options), llama);
  }

  async load(offer: LoadOffer): Promise<LoadedParts> {
    const llama = await this.#openLlama();
    try {
      const model = await llama.loadModel({
        modelPath: this.#start.path,
        gpuLayers: offer.gpuLayers,
        useMmap: llama.supportsMmap,
        // The server has weighed the memory of all its models already.
        ignoreMemorySafetyChecks: true,
      });
      const context = await model.createContext({
        sequences: offer.sequences,
        contextSize: offer.contextLength,
        batchSize,
        flashAttention: 'auto',
        threads: this.#start.maxThreads,
        batching: { itemPrioritizationStrategy: ascendingSequences },
        failedCreationRemedy: false,
        ignoreMemorySafetyChecks: true,
      });
      if (llama.gpu !== false) await proveItComputes(model, context);
      const facts = this.#facts(model, context, offer);
      return { llama, model, context, batchSize, facts, unreadReplyMs: this.#start.unreadReplyMs };
    } catch (error) {
      throw await this.#unloadable(error);
    }
  }

  #facts(model: LlamaModel, context: LlamaContext, offer: LoadOffer): ModelFacts {
    return {
      contextLength: Math.min(offer.contextLength, context.contextSize),
      trainContextLength: model.trainContextSize,
      architecture: model.fileInfo.metadata.general.architecture,
      chatTemplate: this.#start.chatTemplate ?? model.fileInfo.metadata.tokenizer.chat_template,
      embeddingLength: model.embeddingVectorSize,
      vocabularySize: model.fileInfo.metadata.tokenizer.ggml.tokens.length,
      canInfill: model.tokens.infill.prefix !== null && model.tokens.infill.suffix !== null,
      sequences: offer.sequences,
      gpuLayers: model.gpuLayers,
      modelBytes: offer.modelBytes,
      contextBytes: context.memoryUsage.ram,
      vramBytes: model.memoryUsage.vram + context.memoryUsage.vram,
    };
  }

  async #openLlama(): Promise<Llama> {
    this.#llama ??= this.#start.cpuBuildIsProven
      ? await withoutBinaryTest(() => this.#getLlama(false)).catch(() => this.#getLlama(false))
      : await this.#getLlama(this.#start.gpu === 'off' ? false : 'auto');
    return this.#llama;
  }

  #getLlama(gpu: false | 'auto'): Promise<Llama> {
    return getLlama({
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      gpu,
      maxThreads: this.#start.maxThreads,
      logLevel: LlamaLogLevel.warn,
      logger: (level, message) => this.#note(level, message),
    });
  }

  #note(level: LlamaLogLevel, message: string): void {
    const isError = level === LlamaLogLevel.error || level === LlamaLogLevel.fatal;
    if (isError && this.#complaints.length < 20) this.#complaints.push(message.trim());
    this.#send({ type: 'log', level: isError ? 'error' : 'warn', message: message.trim() });
  }

  /** The words of llama.cpp for why a file cannot be loaded, in those of a person where they are known. */
  async #unloadable(error: unknown): Promise<GenerationError> {
    if (error instanceof GenerationError) return error;
    await setTimeout(complaintsDelayMs);
    const said = [...this.#complaints, error instanceof Error ? error.message : String(error)].join('; ');
    if (error instanceof InsufficientMemoryError || /failed to allocate|out of memory/i.test(said)) {
      return new GenerationError('does-not-fit', 'there is not enough memory to load the model', {
        cause: said,
      });
    }
    const architecture = /unknown model architecture: '([^']{1,64})'/.exec(said)?.[1];
    if (architecture) return unloadable(`its architecture "${architecture}" is not supported`, said);
    if (
      /not within the file bounds|corrupted|incomplete|out of range|EOF|truncated|failed to read/i.test(said)
    ) {
      return unloadable('its file is damaged or incomplete', said);
    }
    return unloadable('its file was refused by the inference library', said);
  }
}
