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
import type { ChildMessage, LoadPlan, ModelFacts } from '../ipc/child-message.js';
import type { ModelStart } from '../ipc/parent-message.js';
import { ascendingSequences } from './batch-order.js';
import { unloadable } from './check-gguf-file.js';
import { withoutBinaryTest } from './without-binary-test.js';

const batchSize = 512;
/** Nobody is served by less context than this, unless the model has less. */
const leastContext = 2048;
/** What a model gets without being asked: enough for agents, bounded because every sequence pays for it. */
const mostDefaultContext = 32_768;

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

/** Loads one model in two moves: first say what it would cost, then load it with the context the server chose. */
export class ModelLoader {
  readonly #start: ModelStart;
  readonly #complaints: string[] = [];
  readonly #send: (message: ChildMessage) => void;
  #llama: Llama | undefined;
  #modelBytes = 0;

  constructor(start: ModelStart, send: (message: ChildMessage) => void) {
    this.#start = start;
    this.#send = send;
  }

  async plan(): Promise<LoadPlan> {
    const llama = await this.#openLlama();
    try {
      const fileInfo = await readGgufFileInfo(this.#start.path, {
        sourceType: 'filesystem',
        logWarnings: false,
      });
      const insights = await GgufInsights.from(fileInfo, llama);
      const gpuLayers = llama.gpu === false ? 0 : insights.totalLayers;
      this.#modelBytes = (await insights.estimateModelResourceRequirementsV2({ gpuLayers })).cpuRam;
      const trained = insights.trainContextSize ?? leastContext;
      const contexts: { contextLength: number; bytes: number }[] = [];
      for (const contextLength of this.#contextsToWeigh(trained)) {
        const needs = await insights.estimateContextResourceRequirementsV2({
          contextSize: contextLength,
          modelGpuLayers: gpuLayers,
          sequences: this.#start.parallel,
          batchSize,
          flashAttention: 'auto',
        });
        contexts.push({ contextLength, bytes: needs.cpuRam });
      }
      const computesOn = llama.gpu === false ? 'cpu' : 'gpu';
      return { computesOn, trainContextLength: trained, modelBytes: this.#modelBytes, contexts };
    } catch (error) {
      throw await this.#unloadable(error);
    }
  }

  async load(contextLength: number): Promise<LoadedParts> {
    const llama = await this.#openLlama();
    try {
      const model = await llama.loadModel({
        modelPath: this.#start.path,
        gpuLayers: llama.gpu === false ? 0 : { fitContext: { contextSize: contextLength } },
        // The server has weighed the memory of all its models already.
        ignoreMemorySafetyChecks: llama.gpu === false,
      });
      const context = await model.createContext({
        sequences: this.#start.parallel,
        contextSize: contextLength,
        batchSize,
        flashAttention: 'auto',
        threads: this.#start.maxThreads,
        batching: { itemPrioritizationStrategy: ascendingSequences },
        failedCreationRemedy: false,
        ignoreMemorySafetyChecks: llama.gpu === false,
      });
      if (llama.gpu !== false) await proveItComputes(model, context);
      const facts = this.#facts(model, context, contextLength);
      return { llama, model, context, batchSize, facts, unreadReplyMs: this.#start.unreadReplyMs };
    } catch (error) {
      throw await this.#unloadable(error);
    }
  }

  #facts(model: LlamaModel, context: LlamaContext, contextLength: number): ModelFacts {
    return {
      contextLength: Math.min(contextLength, context.contextSize),
      trainContextLength: model.trainContextSize,
      architecture: model.fileInfo.metadata.general.architecture,
      chatTemplate: this.#start.chatTemplate ?? model.fileInfo.metadata.tokenizer.chat_template,
      embeddingLength: model.embeddingVectorSize,
      vocabularySize: model.fileInfo.metadata.tokenizer.ggml.tokens.length,
      canInfill: model.tokens.infill.prefix !== null && model.tokens.infill.suffix !== null,
      modelBytes: this.#modelBytes || model.size,
      contextBytes: context.memoryUsage.ram,
      vramBytes: model.memoryUsage.vram + context.memoryUsage.vram,
    };
  }

  /** The wanted context, or a ladder of contexts from which the server takes the largest that fits. */
  #contextsToWeigh(trained: number): number[] {
    const wanted = this.#start.contextLength;
    if (wanted !== undefined) return [Math.min(wanted, trained)];
    const ladder = [Math.min(trained, mostDefaultContext)];
    for (let next = (ladder[0] ?? 0) / 2; next >= leastContext; next /= 2) ladder.push(Math.floor(next));
    return ladder;
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
